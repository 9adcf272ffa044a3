import { vi } from 'vitest';

/**
 * Opens something whose intervals never come. What it shows later, it shows because it was notified, however slow the
 * machine is.
 */
export async function withoutPolling<T>(open: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    return await open();
  } finally {
    vi.useRealTimers();
  }
}
