import type { Db } from '#app/db/client.server.ts';
import { type Asked, askLimits, type FormLimit, type Room, waitText } from '#app/http/form-limit.server.ts';

/** Drafts that one network address may begin within the window of forms, and a customer's network within a day. */
const mostInWindow = 20;
const mostInDay = 100;
/** Bytes by which the drafts of a customer's network may grow within a day. */
const mostBytesInDay = 2_000_000;
/** How long the network of a draft that was begun is kept; /privacy says the same. */
export const dayMs = 24 * 60 * 60 * 1000;

type Storing = {
  limit: FormLimit;
  /** The network address that sends it. */
  address: string;
  /** Whether a draft is begun. */
  begins: boolean;
  /** The growth of the stored draft in bytes; negative when it shrinks. */
  bytes: number;
};

/**
 * Whether a network may begin another draft, or store more in one (P24). Drafts whose address was confirmed are not
 * asked about: there are few of them, and their people are real. It comes before the locks of course dates.
 */
export function askDraftLimits(trx: Db, { limit, address, begins, bytes }: Storing, at: Date): Promise<Room> {
  const day = (most: number, name: string) => ({
    attempts: most,
    attemptsOfWideNetwork: most,
    windowMs: dayMs,
    key: `${limit.key}:${name}`,
  });
  const inWindow = { attempts: mostInWindow, attemptsOfWideNetwork: mostInWindow * 4, key: `${limit.key}:drafts` };
  const asked: Asked[] = [];
  if (begins) {
    asked.push({ limit: { ...limit, ...inWindow }, by: address });
    asked.push({ limit: day(mostInDay, 'drafts-day'), by: address });
  }
  if (bytes > 0) asked.push({ limit: day(mostBytesInDay, 'draft-bytes-day'), by: address, weight: bytes });
  return asked.length > 0 ? askLimits(trx, asked, at) : Promise.resolve({ ok: true, count: async () => undefined });
}

/** The bytes that a part of a draft takes. */
export const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part));

/** Why nothing more is stored, and what the visitor can do. */
export function tooMuchText(waitMs: number): string {
  return `Many people on your network started enrolling. On a mobile network or in an office, you share it with other people. What you filled in on this page is not saved yet, but it is still below. Please send it again in ${waitText(waitMs)}, use another connection, or call us and we enrol you.`;
}
