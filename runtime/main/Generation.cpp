//===- Generation.cpp - A context and the text that continues it ----------===//

#include "runtime/main/Generation.h"

#include "runtime/core/Status.h"
#include "runtime/main/Clock.h"
#include "runtime/main/Options.h"
#include "runtime/main/Output.h"
#include "runtime/main/Session.h"
#include "runtime/text/Sampler.h"
#include "runtime/text/StreamDecoder.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <sys/random.h>

namespace pi {

double Timings::promptSpeed() const { return perSecond(promptTokens, promptMs); }
double Timings::decodeSpeed() const { return perSecond(decodeSteps, decodeMs); }

/// The seed asked for, or one of 32 random bits, which are easy to type.
static uint64_t chooseSeed(int64_t asked) {
  if (asked >= 0)
    return uint64_t(asked);
  uint32_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != ssize_t(sizeof bits))
    bits = uint32_t(std::chrono::steady_clock::now().time_since_epoch().count());
  return bits;
}

/// The settings with -1 tokens to look back at made the whole context.
static text::SamplerSettings resolve(text::SamplerSettings settings, int64_t context) {
  if (settings.repeatLastN < 0 || settings.repeatLastN > context)
    settings.repeatLastN = context;
  return settings;
}

Generation::Generation(Session &session, const Options &options)
    : session(session), options(options), chosenSeed(chooseSeed(options.seed)),
      sampler(resolve(options.sampling, session.context()), session.vocab(), chosenSeed),
      stops(options.stops) {
  tokens.reserve(size_t(session.context()) + 1);
}

int32_t Generation::add(const std::vector<int32_t> &ids, std::string &detail) {
  if (int32_t status = session.checkIds(ids, detail))
    return status;
  if (int64_t(ids.size()) > room())
    return fail(PI_ERROR_INPUT, detail,
                std::to_string(ids.size()) +
                    " tokens do not fit into the context, which has room "
                    "for " +
                    std::to_string(std::max<int64_t>(room(), 0)));
  tokens.insert(tokens.end(), ids.begin(), ids.end());
  for (int32_t id : ids)
    sampler.accept(id);
  return PI_OK;
}

void Generation::reset() {
  tokens.clear();
  fed = 0;
  sampler.forget();
}

int32_t Generation::write(std::string_view piece) {
  if (piece.empty())
    return PI_OK;
  lastByte = piece.back();
  if (output)
    return output->write(piece);
  written += piece;
  return PI_OK;
}

int32_t Generation::feed() {
  return session.feed(tokens.data() + fed, tokens.size() - fed, int64_t(fed), fed);
}

/// Chooses and feeds tokens until something ends the text.
int32_t Generation::decode(text::StreamDecoder &decoder, double promptMs) {
  Clock clock;
  double before = sums.decodeMs;
  while (true) {
    int32_t next = sampler.choose(session.logits());
    if (next < 0)
      return PI_ERROR_NUMBERS;
    if (generated.empty())
      sums.firstTokenMs = promptMs + clock.milliseconds();
    generated.push_back(next);
    ++sums.newTokens;
    bool ends = session.isEos(next) && !options.ignoreEos;
    if (!ends) {
      tokens.push_back(next);
      sampler.accept(next);
    }
    if (int32_t status = write(stops.push(decoder.push(next))))
      return status;
    sums.decodeMs = before + clock.milliseconds();
    finishReason = ends ? "eos" : stops.found() ? "stop" : "length";
    if (ends || stops.found() || int64_t(generated.size()) == options.maxTokens)
      return PI_OK;
    if (room() < 0) {
      finishReason = "context";
      return PI_OK;
    }
    if (int32_t status = feed())
      return status;
    ++sums.decodeSteps;
  }
}

int32_t Generation::answer(Output *to) {
  output = to;
  generated.clear();
  written.clear();
  stops.reset();
  lastByte = 0;
  finishReason = "length";
  int64_t most = room() + 1;
  generated.reserve(size_t(options.maxTokens < 0 ? most : std::min(most, options.maxTokens)));
  text::StreamDecoder decoder(session.tokenizer(), tokens.data(), tokens.size());
  size_t begin = fed;
  Clock clock;
  int32_t status = feed();
  double promptMs = clock.milliseconds();
  sums.promptTokens += fed - begin;
  sums.promptMs += promptMs;
  if (status == PI_OK)
    status = decode(decoder, promptMs);
  if (status != PI_OK && status != PI_ERROR_INTERRUPTED)
    return status;
  // What was held back: an unfinished character, the beginning of a stop string.
  if (int32_t problem = write(stops.push(decoder.finish())))
    return problem;
  if (stops.found())
    finishReason = "stop";
  int32_t problem = write(stops.finish());
  return problem ? problem : status;
}

void printStatistics(const Session &session, const Generation &generation) {
  const Timings &timings = generation.timings();
  char first[64] = "", seed[32] = "";
  if (timings.newTokens)
    std::snprintf(first, sizeof first, "first token after %.1f ms; ", timings.firstTokenMs);
  if (generation.usesSeed() && timings.newTokens)
    std::snprintf(seed, sizeof seed, "; seed %llu",
                  static_cast<unsigned long long>(generation.seed()));
  std::fprintf(stderr,
               "prompt: %zu tokens, %.1f ms, %.1f tokens/s; %sgenerated: %zu tokens, %.1f ms, %.1f "
               "tokens/s; cpu, %u threads%s\n",
               timings.promptTokens, timings.promptMs, timings.promptSpeed(), first,
               timings.newTokens, timings.decodeMs, timings.decodeSpeed(), session.threads(), seed);
}

void noteFullContext(const Session &session, const char *remedy) {
  std::fprintf(stderr, "note: stopped: the context of %lld tokens is full; %s\n",
               static_cast<long long>(session.context()), remedy);
}

} // namespace pi
