/** Taps that wait on a device until the network takes them (P59). Only ids are kept on it, no names. */
export type QueuedTap = {
  key: string;
  /** The member of staff who tapped: another one signed in on the same device does not send it. */
  personId: number;
  slug: string;
  placeId: number;
  day: string;
  mark: 'present' | 'absent';
  /** By the clock of the device. */
  tappedMs: number;
  /** Of "All others here": the page may be older than what somebody else marked. */
  onlyUnmarked?: true;
  /** Why the academy did not take it; then it is not sent again. */
  refused?: string;
};

export type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The answer for each tap by its key: null when it was taken, otherwise the reason. */
export type Answer = { status: number; results?: Readonly<Record<string, string | null>> };

/** The state after sending: remaining taps wait for the network, for signing in, or for a role that allows them. */
export type Sent = 'all' | 'no-network' | 'signed-out' | 'not-allowed';

const storedAs = 'class-taps';
/** As many are sent at once. */
const most = 100;

/** The waiting taps of this device, in order; empty when they cannot be read. */
export function readTaps(store: Store): QueuedTap[] {
  try {
    const taps: unknown = JSON.parse(store.getItem(storedAs) ?? '[]');
    return Array.isArray(taps) ? taps : [];
  } catch {
    return [];
  }
}

export function addTap(store: Store, tap: QueuedTap): void {
  write(store, [...readTaps(store), tap]);
}

/** Forgets taps that were refused, once somebody has read why. */
export function forgetRefused(store: Store): void {
  write(
    store,
    readTaps(store).filter(({ refused }) => refused === undefined),
  );
}

/** Sends the taps of a member of staff, oldest first, including taps made in the meantime. */
export async function sendTaps(
  store: Store,
  personId: number,
  send: (taps: readonly QueuedTap[]) => Promise<Answer>,
): Promise<Sent> {
  for (;;) {
    const taps = readTaps(store)
      .filter((tap) => tap.personId === personId && tap.refused === undefined)
      .slice(0, most);
    if (taps.length === 0) return 'all';
    const answer = await send(taps).catch((): Answer => ({ status: 0 }));
    if (answer.status === 401) return 'signed-out';
    if (answer.status === 403) return 'not-allowed';
    const { results } = answer;
    if (answer.status !== 200 || !results || !taps.some(({ key }) => key in results)) return 'no-network';
    write(
      store,
      readTaps(store).flatMap((tap) => {
        const why = results[tap.key];
        if (why === undefined) return tap;
        return why === null ? [] : { ...tap, refused: why };
      }),
    );
  }
}

const write = (store: Store, taps: readonly QueuedTap[]) => store.setItem(storedAs, JSON.stringify(taps));
