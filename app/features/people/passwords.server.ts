import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';

/** How long a password may be, in characters (P51). */
const [shortestPassword, longestPassword] = [12, 128];

/** N=2^17, r=8, p=1: 128 MB and about half a second of one core (P51). */
const cost = { N: 2 ** 17, r: 8, p: 1 };
const keyBytes = 32;
/** Beyond these the machine has other work to do. */
const mostWaiting = 8;

/** A password as it is compared: the same letters typed on another keyboard are the same password (NFKC). */
const normal = (password: string): string => password.normalize('NFKC');

/** Why a password is refused, in a sentence; null when it is not. `own` is what is known of the person, such as the address. */
export function passwordFault(password: string, own: readonly string[]): string | null {
  const typed = normal(password);
  const length = [...typed].length;
  if (length < shortestPassword)
    return `Use ${shortestPassword} characters or more. Several words are easy to remember.`;
  if (length > longestPassword) return `Use ${longestPassword} characters at most.`;
  return isCommon(typed) || new Set(typed.toLowerCase()).size < 5 || isMadeOf(typed, [...own, ...ourWords])
    ? 'This password is easy to guess. Use several words that do not belong together.'
    : null;
}

function isCommon(password: string): boolean {
  const known = commonPasswords();
  const lower = password.toLowerCase();
  // With digits and signs around it a common password is as easy to guess.
  return known.has(lower) || known.has(lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')) || isRepeated(lower, known);
}

/** The same common word several times. */
function isRepeated(password: string, known: ReadonlySet<string>): boolean {
  const part = /^(.+?)\1+$/u.exec(password)?.[1];
  return part !== undefined && (part.length < 5 || known.has(part));
}

/** What anybody would try first here. docs/security.md lists them. */
const ourWords = ['bowerbird', 'academy', 'brisbane', 'queensland', 'cyber', 'security', 'training', 'course', 'quest'];

/** Whether next to nothing is left of a password without the names and words that belong to the person or to us. */
function isMadeOf(password: string, own: readonly string[]): boolean {
  const lower = password.toLowerCase();
  const names = own.map((text) => text.toLowerCase().split('@')[0] ?? '').filter((name) => name.length >= 5);
  const left = names.toSorted((a, b) => b.length - a.length).reduce((text, name) => text.replaceAll(name, ''), lower);
  return own.some((text) => lower === text.toLowerCase()) || (left !== lower && left.length < 6);
}

let common: ReadonlySet<string> | undefined;
/** The 49,233 most used passwords of zxcvbn's list; read when the first password is chosen. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(dictionary['passwords-common'].map(String));
  return common;
}

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Hashes one password after the other: each takes 128 MB. Null when too many wait. */
function queued(password: string, salt: Buffer): Promise<Buffer | null> {
  if (waiting >= mostWaiting) return Promise.resolve(null);
  waiting += 1;
  const done = last.then(() => derive(normal(password), salt));
  last = done
    .catch(() => undefined)
    .finally(() => {
      waiting -= 1;
    });
  return done;
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) =>
    scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

/** What is stored of a password: the cost, the salt and the hash. Null when too many are hashed at the moment. */
export async function hashPassword(password: string): Promise<string | null> {
  const salt = randomBytes(16);
  const key = await queued(password, salt);
  return key && `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Whether a password is the one that was hashed; `null` stands for a person without one, for whom the same work is done.
 * 'busy' when too many are compared at the moment.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean | 'busy'> {
  const [, , , , salt = '', hash = ''] = stored?.split('$') ?? [];
  const wanted = Buffer.from(hash, 'base64url');
  const key = await queued(password, stored ? Buffer.from(salt, 'base64url') : randomBytes(16));
  if (!key) return 'busy';
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}
