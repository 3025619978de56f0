#ifndef GICSIM_CORE_TASK_H
#define GICSIM_CORE_TASK_H

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace gicsim {

/// Who resumes the coroutines of one core. A coroutine never resumes another one directly: it names the next and
/// returns, so that the depth of the stack does not depend on how the compiler treats tail calls.
class TaskScheduler {
public:
    virtual void resume_next(std::coroutine_handle<> next) = 0;
    /// A task that nobody awaits has ended, by itself or by an exception.
    virtual void finished(std::exception_ptr failure) = 0;

protected:
    ~TaskScheduler() = default;
};

/// Keeps coroutine frames for reuse: a program that calls the same functions over and over allocates nothing.
class FramePool {
public:
    static FramePool& local() {
        static thread_local FramePool pool;
        return pool;
    }
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;
    ~FramePool() {
        for (auto& list : free_) {
            for (void* frame : list) ::operator delete(frame);
        }
    }

#ifdef __SANITIZE_ADDRESS__
    // Frames that are never reused let AddressSanitizer see every late access.
    void* take(std::size_t size) {
        return ::operator new(size);
    }
    void give(void* frame, std::size_t) noexcept {
        ::operator delete(frame);
    }
#else
    void* take(std::size_t size) {
        const std::size_t kind = kind_of(size);
        if (kind >= free_.size()) free_.resize(kind + 1);
        auto& list = free_[kind];
        if (list.empty()) return ::operator new((kind + 1) * granule);
        void* frame = list.back();
        list.pop_back();
        return frame;
    }
    void give(void* frame, std::size_t size) noexcept {
        free_[kind_of(size)].push_back(frame);
    }
#endif

private:
    static constexpr std::size_t granule = 64;
    static std::size_t kind_of(std::size_t size) {
        return (size - 1) / granule;
    }
    std::vector<std::vector<void*>> free_;
};

namespace detail {

struct PromiseBase {
    TaskScheduler* scheduler = nullptr;
    std::coroutine_handle<> continuation;
    std::exception_ptr failure;

    static void* operator new(std::size_t size) { return FramePool::local().take(size); }
    static void operator delete(void* frame, std::size_t size) { FramePool::local().give(frame, size); }

    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
        bool await_ready() noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> self) noexcept {
            PromiseBase& promise = self.promise();
            if (promise.continuation) {
                promise.scheduler->resume_next(promise.continuation);
            } else {
                promise.scheduler->finished(promise.failure);
            }
        }
        void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void unhandled_exception() { failure = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    template <class U>
    void return_value(U&& result) {
        value.emplace(std::forward<U>(result));
    }
    T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
    void return_void() {}
    void take() {}
};

}  // namespace detail

/// A program, or a part of one, that runs on a core. Starts when it is awaited by another task, or when a core is told
/// to run it.
template <class T = void>
class [[nodiscard]] Task {
public:
    // The language wants this name.
    struct promise_type : detail::Promise<T> {  // NOLINT(readability-identifier-naming)
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    };
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_) handle_.destroy();
    }

    /// Makes it a root task of `scheduler` and returns what to resume.
    std::coroutine_handle<> start(TaskScheduler& scheduler) {
        handle_.promise().scheduler = &scheduler;
        return handle_;
    }

    struct Awaiter {
        Handle child;
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> parent) noexcept {
            child.promise().continuation = parent;
            child.promise().scheduler = parent.promise().scheduler;
            child.promise().scheduler->resume_next(child);
        }
        T await_resume() {
            if (child.promise().failure) std::rethrow_exception(child.promise().failure);
            return child.promise().take();
        }
    };
    Awaiter operator co_await() && noexcept { return Awaiter{handle_}; }

private:
    explicit Task(Handle handle) : handle_(handle) {}
    Handle handle_;
};

}  // namespace gicsim

#endif
