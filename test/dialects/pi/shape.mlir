// RUN: pi-opt %s --split-input-file --verify-diagnostics --verify-roundtrip

module attributes {pi.shape = #pi.shape<layers = 4, hidden = 256, intermediate = 1024, heads = 8,
                                        kv_heads = 4, vocab = 4096, kv = f32>} {}

// -----

// expected-error @+1 {{sizes of a model must be at least 1}}
module attributes {pi.shape = #pi.shape<layers = 4, hidden = 256, intermediate = 1024, heads = 8, kv_heads = 0, vocab = 4096, kv = f32>} {}
