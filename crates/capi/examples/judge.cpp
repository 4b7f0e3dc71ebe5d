// Asks which skinning an engine uses: judge MODEL CLIP SECONDS. Here the engine is sinew itself, in linear blending.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sinew.h"

namespace {

struct Deleter {
    void operator()(sinew_model *model) const { sinew_model_free(model); }
    void operator()(sinew_pose *pose) const { sinew_pose_free(pose); }
    void operator()(char *text) const { sinew_string_free(text); }
};

struct Failure : std::runtime_error {
    sinew_status status;
    Failure(sinew_status code, const char *message) : std::runtime_error(message), status(code) {}
};

/// Calls what makes a T, which the result then frees.
template <typename T, typename Call> std::unique_ptr<T, Deleter> made(Call call) {
    sinew_error error{};
    error.size = sizeof(error);
    T *result = nullptr;
    const sinew_status status = call(&result, &error);
    if (status != SINEW_OK) throw Failure(status, error.message);
    return std::unique_ptr<T, Deleter>(result);
}

} // namespace

int main(int count, char **words) try {
    if (count != 4) {
        std::fprintf(stderr, "usage: judge MODEL CLIP SECONDS\n");
        return SINEW_USAGE;
    }
    const auto model = made<sinew_model>(
        [&](sinew_model **out, sinew_error *error) { return sinew_load_file(words[1], out, error); });
    const auto pose = made<sinew_pose>([&](sinew_pose **out, sinew_error *error) {
        const std::size_t clip = std::strtoul(words[2], nullptr, 10);
        return sinew_pose_clip(model.get(), clip, std::atof(words[3]), out, error);
    });
    std::vector<float> mine;
    for (std::size_t primitive = 0; primitive < sinew_primitive_count(model.get()); primitive++) {
        const std::size_t start = mine.size();
        sinew_out out{};
        out.size = sizeof(out);
        out.vertices = sinew_primitive_vertices(model.get(), primitive);
        mine.resize(start + 3 * out.vertices);
        out.positions = mine.data() + start;
        if (sinew_skin(model.get(), pose.get(), SINEW_LBS, primitive, &out, nullptr) != SINEW_OK) return SINEW_BUG;
    }
    sinew_vertices given{};
    given.size = sizeof(given);
    given.vertices = mine.size() / 3;
    given.positions = mine.data();
    const auto answer = made<char>([&](char **out, sinew_error *error) {
        return sinew_diagnose(model.get(), pose.get(), &given, out, error);
    });
    std::puts(answer.get());
    return SINEW_OK;
} catch (const Failure &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return failure.status;
} catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return SINEW_MEMORY;
}
