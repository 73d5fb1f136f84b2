# Configuration of the lit suites; test/CMakeLists.txt writes lit.site.cfg.py.
import os

import lit.formats

config.name = "pi-compile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "numeric", "fixtures", "oracle", "tools", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.pi_build, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.pi_build, "bin"), config.llvm_tools, config.environment["PATH"]])
if "pi_tools" in lit_config.params:  # lit -D pi_tools=DIR: the programs of a release instead
    config.environment["PATH"] = os.pathsep.join(
        [os.path.abspath(lit_config.params["pi_tools"]), config.environment["PATH"]])
config.substitutions.append(("%fixtures", os.path.join(config.test_source_root, "fixtures")))
config.substitutions.append(("%models", os.path.join(config.pi_source, "models")))
config.substitutions.append(("%oracle", os.path.join(config.test_source_root, "oracle")))
config.substitutions.append(("%scripts", os.path.join(config.pi_source, "tools/scripts")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%src", config.pi_source))
config.substitutions.append(("%build", config.pi_build))
archive = os.path.join(config.pi_source, "dist",
                       f"pi-compile-{config.pi_version}-linux-x86_64.tar.xz")
if os.path.exists(archive):  # tools/scripts/release makes it
    config.available_features.add("release-archive")
    config.substitutions.append(("%archive", archive))
if os.path.isdir(config.shared_models):
    config.available_features.add("shared-models")
    config.substitutions.append(("%shared", config.shared_models))
try:
    for descriptor in os.openpty():
        os.close(descriptor)
    config.available_features.add("pty")
except OSError:
    pass
if os.geteuid() == 0:
    config.available_features.add("chroot")
if config.peer_python:
    config.available_features.add("onnxruntime")
    config.substitutions.append(("%peer-python", config.peer_python))
