import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Scrypt = typeof crypto.scrypt & { real?: typeof crypto.scrypt };

/** Without this module a password costs half a second of a core (P51), and tests hash hundreds. */
const quickCost = 2 ** 4;

const found: Scrypt = crypto.scrypt;
const real = found.real ?? found;
const quick: Scrypt = Object.assign(
  (
    password: crypto.BinaryLike,
    salt: crypto.BinaryLike,
    bytes: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => real(password, salt, bytes, { ...options, N: quickCost }, done),
  { real },
) as Scrypt;

function use(scrypt: typeof crypto.scrypt): void {
  crypto.scrypt = scrypt;
  syncBuiltinESMExports();
}

// In this process and for each of its files; programs that tests start hash as in earnest.
use(quick);

/** Runs something with scrypt as it is in earnest, for a test of the cost itself. */
export async function withRealScrypt<T>(run: () => Promise<T>): Promise<T> {
  use(real);
  try {
    return await run();
  } finally {
    use(quick);
  }
}
