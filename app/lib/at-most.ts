/** Runs a piece of work as soon as fewer than the most are under way, in the order in which they were given. */
export type Turn = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Turns for work of which so many pieces may run at once. After one has failed, the waiting ones fail with the same
 * error instead of beginning. Work in a turn must not wait for another turn.
 */
export function atMost(most: number): Turn {
  let underWay = 0;
  let failure: { error: unknown } | null = null;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      if (failure) throw failure.error;
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      // The next waiting piece takes this place.
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
