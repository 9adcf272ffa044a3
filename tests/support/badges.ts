import { verifyCredential } from '@digitalcredentials/verifier-core';
import { vi } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import type { Badges } from '#app/features/study/badges/badge.ts';
import { didDocument } from '#app/features/study/badges/documents.ts';
import { readKeys } from '#app/features/study/badges/keys.server.ts';
import { doHere } from '#app/features/study/badges/sign.ts';

/** A public origin of its own for each test: the verifier remembers the keys of an issuer for minutes. */
export const newOrigin = (): string => `https://${crypto.randomUUID()}.example`;

/** Signs and verifies in this thread, as the program's thread does. */
export const badgesAt = (origin: string): Badges => ({
  origin,
  // A task of a kind has the result of that kind.
  do: (task) => doHere(task) as never,
  verify: () => {
    throw new Error('pages verify, jobs do not');
  },
});

export type SignedBadge = Record<string, unknown> & {
  credentialSubject: { achievement: Record<string, unknown>; identifier: [Record<string, unknown>] };
  credentialStatus: { statusListIndex: string; statusListCredential: string };
  proof: [{ verificationMethod: string; proofValue: string; created: string }];
};

/** The badge of a certificate, as it is served; null while it is not signed. */
export async function badgeOf(db: Db, certificateId: number): Promise<SignedBadge | null> {
  const row = await db
    .selectFrom('certificate_badges')
    .select('credential')
    .where('certificate_id', '=', certificateId)
    .executeTakeFirst();
  return row?.credential ? JSON.parse(row.credential) : null;
}

/** What our site answers to verifiers, by address. */
export async function served(db: Db, origin: string): Promise<Record<string, unknown>> {
  const lists = await db.selectFrom('badge_lists').select(['id', 'credential']).execute();
  return {
    [`${origin}/.well-known/did.json`]: didDocument(origin, await readKeys(db)),
    ...Object.fromEntries(
      lists.map(({ id, credential }) => [`${origin}/certificates/status/${id}`, JSON.parse(credential ?? 'null')]),
    ),
  };
}

type Verified = { log?: { id: string; valid?: boolean; error?: unknown }[]; errors?: unknown };

/**
 * What the verifier of the Digital Credentials Consortium says of a badge, without a network: it fetches what `site`
 * holds, and nothing else is there. `signature` and `notRevoked` are null when it could not say.
 */
export async function verifiedElsewhere(
  badge: object,
  site: Record<string, unknown>,
  at: Date,
): Promise<{ signature: boolean | null; notRevoked: boolean | null; errors: string }> {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (asked) => {
    const url = String(asked instanceof Request ? asked.url : asked);
    const found = Object.hasOwn(site, url) ? site[url] : undefined;
    // The schema of 1EdTech is not here: a table of required properties replaces it.
    return found ? Response.json(found) : Response.json({}, { status: 404 });
  });
  // It says there that it has no schema.
  const told = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try {
    const result: Verified = await verifyCredential({
      credential: structuredClone(badge) as never,
      knownDIDRegistries: [],
    });
    const stepOf = (id: string) => result.log?.find((step) => step.id === id)?.valid ?? null;
    return {
      signature: stepOf('valid_signature'),
      notRevoked: stepOf('revocation_status'),
      errors: JSON.stringify(result.errors ?? result.log?.filter((step) => step.error) ?? []),
    };
  } finally {
    vi.useRealTimers();
    fetched.mockRestore();
    told.mockRestore();
    vi.mocked(console.error).mockClear();
  }
}
