//===- pi-tokenize-check.cpp - Tokenizer on lines of JSON -----------------===//
// Reads one JSON object a line on stdin and answers with one on stdout, for
// comparison with another implementation:
//   {"encode": "text", "special": true}      -> [ids]
//   {"decode": [ids], "skip": true}          -> "text"
//   {"stream": [ids], "prompt": n, "skip": true} -> ["piece", ...], the last
//                                               one from finish()
// usage: pi-tokenize-check tokenizer.json
//===----------------------------------------------------------------------===//

#include "runtime/text/StreamDecoder.h"
#include "runtime/text/Tokenizer.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using nlohmann::json;

static json answer(const pi::text::Tokenizer &tokenizer, const json &request) {
  bool skip = request.value("skip", false);
  if (request.contains("encode"))
    return tokenizer.encode(request["encode"].get<std::string>(), request.value("special", false));
  if (request.contains("decode")) {
    auto ids = request["decode"].get<std::vector<int32_t>>();
    return tokenizer.decode(ids.data(), ids.size(), skip);
  }
  auto ids = request["stream"].get<std::vector<int32_t>>();
  size_t promptCount = request.value("prompt", size_t(0));
  pi::text::StreamDecoder stream(tokenizer, ids.data(), promptCount, skip);
  json pieces = json::array();
  for (size_t i = promptCount; i < ids.size(); ++i)
    pieces.push_back(std::string(stream.push(ids[i])));
  pieces.push_back(std::string(stream.finish()));
  return pieces;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: pi-tokenize-check tokenizer.json\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  std::string error;
  std::unique_ptr<pi::text::Tokenizer> tokenizer = pi::text::Tokenizer::parse(bytes.str(), error);
  if (!tokenizer) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    json request = json::parse(line, nullptr, false);
    if (!request.is_object()) {
      std::fprintf(stderr, "not a JSON object: %s\n", line.c_str());
      return 1;
    }
    std::cout << answer(*tokenizer, request).dump() << '\n';
  }
  return 0;
}
