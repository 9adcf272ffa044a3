import { monitorEventLoopDelay } from 'node:perf_hooks';

export type LoopDelay = {
  /** Average delay of the event loop over the last complete window, in milliseconds. */
  meanMs(): number;
  stop(): void;
};

const resolutionMs = 20;
const windowMs = 500;

/** Measures the event loop's delay in windows of half a second. Neither timer keeps the process alive. */
export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let mean = 0;
  const timer = setInterval(() => {
    // A sample is the time from one tick to the next, the resolution included; without samples the mean is NaN.
    mean = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, windowMs);
  timer.unref();
  return {
    meanMs: () => mean,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
