//===- TokenizerStages.h - Reading the stages of a tokenizer ----*- C++ -*-===//
// From the JSON objects `normalizer`, `pre_tokenizer`, `decoder` and
// `post_processor` to the parts of a tokenizer. False means that the field's
// error was set.
//===----------------------------------------------------------------------===//

#ifndef PI_RUNTIME_TEXT_TOKENIZERSTAGES_H
#define PI_RUNTIME_TEXT_TOKENIZERSTAGES_H

#include "runtime/text/JsonFields.h"
#include "runtime/text/Tokenizer.h"

namespace pi::text {

/// Reads null, Prepend, Replace (String) and Sequence.
bool readNormalizer(const JsonField &field, Normalizer &out);

/// Reads null, Metaspace, ByteLevel, Digits, Punctuation, Split and Sequence.
bool readPreTokenizer(const JsonField &field, PreTokenizer &out);

/// Reads null, Replace (String), ByteFallback, Fuse, Strip, ByteLevel,
/// Metaspace and Sequence.
bool readDecoder(const JsonField &field, Decoder &out);

/// Reads null, ByteLevel, TemplateProcessing (its `single`) and Sequence. The
/// vocabulary and the added tokens in `parts` must be complete.
bool readPostProcessor(const JsonField &field, TokenizerParts &parts);

} // namespace pi::text

#endif // PI_RUNTIME_TEXT_TOKENIZERSTAGES_H
