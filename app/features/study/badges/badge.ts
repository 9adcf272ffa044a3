import { createContext } from 'react-router';
import type { SignedJson } from './documents.ts';

/** A key that signs, opened; `secretKey` is multibase and stays in memory. */
export type OpenKey = { id: string; controller: string; publicKey: string; secretKey: string };

/**
 * The tasks of the badge thread. They are kept from the thread that serves because the packages are large and a
 * signature takes a tenth of a second.
 */
export type BadgeTask =
  | { kind: 'make-key' }
  | { kind: 'sign'; document: object; key: OpenKey; at: string }
  /** `revoked` are the places of the bits that are set. */
  | { kind: 'sign-list'; document: object; revoked: readonly number[]; key: OpenKey; at: string }
  | { kind: 'verify'; document: SignedJson; didDocument: object };

export type BadgeResults = {
  'make-key': { publicKey: string; secretKey: string };
  sign: SignedJson;
  'sign-list': SignedJson;
  /** Why not, for the log. */
  verify: { verified: true } | { verified: false; why: string };
};

/** Signs and verifies Open Badges. Rejects when it cannot be done at the moment. */
export type Badges = {
  /** The public origin; null without `BASE_URL` by https: then no badge is issued (P66). */
  origin: string | null;
  do<Task extends BadgeTask>(task: Task): Promise<BadgeResults[Task['kind']]>;
  /** Whether a stored badge is signed by the key that it names, and when that was looked at. */
  verify(stored: { credential: string; didDocument: object }, at: Date): Promise<{ verified: boolean; at: Date }>;
};

export const badgesContext = createContext<Badges>();
