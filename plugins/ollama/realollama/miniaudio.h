// Stands in for a decoder of audio files, which models of text never use:
// declares what the server's code calls, and decodes nothing.
#pragma once
#include <cstddef>
#include <cstdint>

using ma_result = int;
using ma_uint64 = std::uint64_t;

constexpr ma_result MA_SUCCESS = 0;
constexpr ma_result MA_NOT_IMPLEMENTED = -29;

enum ma_format { ma_format_f32 = 5 };

struct ma_decoder_config {};
struct ma_decoder {};

inline ma_decoder_config ma_decoder_config_init(ma_format, unsigned, unsigned) { return {}; }

inline ma_result ma_decoder_init_memory(const void *, std::size_t, const ma_decoder_config *, ma_decoder *) {
    return MA_NOT_IMPLEMENTED;
}

inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *) { return MA_NOT_IMPLEMENTED; }

inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *) { return MA_NOT_IMPLEMENTED; }

inline ma_result ma_decoder_uninit(ma_decoder *) { return MA_SUCCESS; }
