import { monitorEventLoopDelay } from 'node:perf_hooks';

export type LoopDelay = {
  /**
   * The milliseconds by which the event loop was late on average, in the better of the last two windows: a single
   * stall, such as a garbage collection, is over before anything can be done about it.
   */
  sustainedMs(): number;
  stop(): void;
};

const resolutionMs = 20;
const windowMs = 500;

/** Measures the event loop's delay in windows of half a second. Neither timer keeps the process alive. */
export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let [before, last] = [0, 0];
  const timer = setInterval(() => {
    // Samples are the time from one tick to the next, the tick's own length included; without any, mean is not a number.
    before = last;
    last = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    sustainedMs: () => Math.min(before, last),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
