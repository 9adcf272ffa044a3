import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import type { Badges } from '#app/features/study/badges/badge.ts';
import { signBadges } from '#app/features/study/badges/jobs.server.ts';
import { compromiseKey, readKeys, rotateKey } from '#app/features/study/badges/keys.server.ts';
import { documentLoader } from '#app/features/study/badges/sign.ts';
import { revokeCertificate, undoCertificate } from '#app/features/study/certificates/end-certificate.server.ts';
import { erasePerson } from '#server/personal-records.ts';
import { badgeOf, badgesAt, newOrigin, type SignedBadge, served, verifiedElsewhere } from '#tests/support/badges.ts';
import { afterClass, attends, type Class, issued, makeClass } from '#tests/support/certificates.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { torture } from '#tests/support/torture.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
let origin: string;
let badges: Badges;
const opened: Db[] = [];
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
  origin = newOrigin();
  badges = badgesAt(origin);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.destroy()));
  await database.drop();
});

const did = () => `did:web:${new URL(origin).host}`;
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
const later = (minutes: number) => new Date(afterClass.now.getTime() + minutes * 60_000);

/** A certificate of somebody with an address, and its badge, signed a minute later. */
async function signed(email = 'zoe.ada@example.com', name = 'Zoë Nuñez 😀') {
  const { placeId } = await attends(db, group, { name, email });
  const certificate = await issued(db, placeId);
  expect(await signBadges(db, badges, later(1))).toBe(1);
  const badge = await badgeOf(db, certificate.id);
  if (!badge) return expect.unreachable('no badge');
  return { ...certificate, badge, email };
}
const verify = async (badge: object, at = later(5)) => verifiedElsewhere(badge, await served(db, origin), at);
const holds = { signature: true, notRevoked: true, errors: '[]' };

/**
 * What 1EdTech requires, by hand from the tables of Open Badges 3.0 (https://www.imsglobal.org/spec/ob/v3p0/, B.1):
 * AchievementCredential, AchievementSubject, Achievement, Criteria, Profile, IdentityObject, Image, and of
 * https://www.w3.org/TR/vc-bitstring-status-list/ the entry and the list.
 */
const required: [of: (badge: SignedBadge) => unknown, properties: string[]][] = [
  [(badge) => badge, ['@context', 'id', 'type', 'name', 'issuer', 'validFrom', 'credentialSubject', 'proof']],
  [(badge) => badge.issuer, ['id', 'type', 'name', 'url']],
  [(badge) => badge.credentialSubject, ['type', 'achievement', 'identifier']],
  [(badge) => badge.credentialSubject.identifier[0], ['type', 'hashed', 'identityHash', 'identityType', 'salt']],
  [
    (badge) => badge.credentialSubject.achievement,
    ['id', 'type', 'name', 'description', 'criteria', 'creator', 'image', 'achievementType'],
  ],
  [(badge) => badge.credentialSubject.achievement.criteria, ['narrative']],
  [(badge) => badge.credentialSubject.achievement.creator, ['id', 'type', 'url']],
  [(badge) => badge.credentialSubject.achievement.image, ['id', 'type', 'caption']],
  [(badge) => badge.credentialStatus, ['id', 'type', 'statusPurpose', 'statusListIndex', 'statusListCredential']],
  [(badge) => (badge.credentialSchema as unknown[])[0], ['id', 'type']],
  [(badge) => badge.proof[0], ['type', 'cryptosuite', 'created', 'verificationMethod', 'proofPurpose', 'proofValue']],
];

test('P66: a badge has what 1EdTech requires, verifies elsewhere, and names nobody', async () => {
  await database.owner
    .updateTable('courses')
    .set({ title: 'Sécurité 😀 Level 1' })
    .where('slug', '=', 'cissp')
    .execute();
  const { badge, number, email } = await signed();
  for (const [of, properties] of required) {
    const part = of(badge) as Record<string, unknown>;
    for (const property of properties) expect(part[property], property).toBeTruthy();
  }
  expect(badge).toMatchObject({
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      expect.anything(),
    ],
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    id: `${origin}/certificates/${number}/badge.json`,
    credentialSubject: {
      achievement: { criteria: { narrative: expect.stringContaining('This is not a certification of ISC2.') } },
    },
    name: 'Sécurité 😀 Level 1',
    issuer: { id: did(), url: origin },
    validFrom: '2025-11-05T07:30:00Z',
    proof: [
      {
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-rdfc-2022',
        verificationMethod: `${did()}#key-1`,
      },
    ],
  });
  expect(badge).not.toHaveProperty('issuanceDate');
  const [identity] = badge.credentialSubject.identifier;
  // The salt after the address, by hand.
  const hash = createHash('sha256')
    .update(email + identity.salt)
    .digest('hex');
  expect(identity.identityHash).toBe(`sha256$${hash}`);
  expect(JSON.stringify(badge)).not.toMatch(/Zoë|Nuñez|zoe\.ada/);
  expect(await verify(badge)).toEqual(holds);
});

torture('P66: a verifier refuses a badge after one change of any kind', async () => {
  const { badge } = await signed();
  const flip = (change: (copy: SignedBadge) => void) => {
    const copy = structuredClone(badge);
    change(copy);
    return copy;
  };
  const changed = {
    title: flip((copy) => {
      copy.credentialSubject.achievement.name = 'CISSQ';
    }),
    day: flip((copy) => {
      copy.validFrom = '2025-11-05T07:30:01Z';
    }),
    holder: flip((copy) => {
      copy.credentialSubject.identifier[0].salt = '0';
    }),
    status: flip((copy) => {
      copy.credentialStatus.statusListIndex = String((Number(copy.credentialStatus.statusListIndex) + 1) % 131_072);
    }),
    id: flip((copy) => {
      copy.id = `${String(copy.id)}x`;
    }),
    proof: flip((copy) => {
      const value = copy.proof[0].proofValue;
      copy.proof[0].proofValue = value.slice(0, -1) + (value.endsWith('2') ? '3' : '2');
    }),
    time: flip((copy) => {
      copy.proof[0].created = '2025-11-05T07:31:01Z';
    }),
    'what nobody knows': flip((copy) => {
      copy.honours = 'yes';
    }),
  };
  for (const [what, copy] of Object.entries(changed)) expect((await verify(copy)).signature, what).not.toBe(true);
  expect(await verify(badge)).toEqual(holds);
});

test('P66: revoked, its bit is set within a minute, and of nobody else', async () => {
  const first = await signed('ada@example.com');
  const other = await signed('bob@example.com');
  await inTrx((trx) =>
    revokeCertificate(
      trx,
      { number: first.number, why: 'mistake', actor: { ...anOwner, person: group.instructor.person } },
      { ...afterClass, now: later(60) },
    ),
  );
  await signBadges(db, badges, later(61));
  expect(await verify(first.badge, later(62))).toMatchObject({ signature: true, notRevoked: false });
  expect(await verify(other.badge, later(62))).toEqual(holds);

  const [list] = Object.entries(await served(db, origin)).filter(([url]) => url.includes('/status/'));
  const [, { credentialSubject }] = list as [string, { credentialSubject: { encodedList: string } }];
  const { encodedList } = credentialSubject;
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'));
  expect([encodedList[0], bits.length * 8]).toEqual(['u', 131_072]);
  const set = [...bits].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  expect(set).toBe(1);
});

test('P64: the badge of a certificate that was undone is revoked, should anybody have it', async () => {
  const { badge, number } = await signed();
  await inTrx((trx) => undoCertificate(trx, { number, actor: group.instructor }, later(10)));
  await signBadges(db, badges, later(11));
  expect(await verify(badge, later(12))).toMatchObject({ signature: true, notRevoked: false });
});

torture('P66: a list is renewed daily and good for three days; left alone, badges are valid no more', async () => {
  const { badge } = await signed();
  const day = 24 * 60;
  const signedAt = async () =>
    (await db.selectFrom('badge_lists').select('signed_at').executeTakeFirstOrThrow()).signed_at;
  await signBadges(db, badges, later(day));
  expect(await signedAt()).toEqual(later(1));
  await signBadges(db, badges, later(day + 1));
  expect(await signedAt()).toEqual(later(day + 1));
  expect(await verify(badge, later(4 * day))).toEqual(holds);
  expect((await verify(badge, later(4 * day + 2))).notRevoked).not.toBe(true);
  // A clock was a year ahead for once: the right one signs again.
  await signBadges(db, badges, later(365 * day));
  await signBadges(db, badges, later(5 * day));
  expect(await signedAt()).toEqual(later(5 * day));
});

torture('P66: signed by two processes at once, there is one badge, one key and one list', async () => {
  const other = createDb(database.connection, () => undefined);
  opened.push(other);
  const { placeId } = await attends(db, group, { email: 'ada@example.com' });
  const { id } = await issued(db, placeId);
  const counts = await Promise.all([db, other, db].map((on) => signBadges(on, badges, later(1))));
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect(await readKeys(db)).toHaveLength(1);
  expect(await db.selectFrom('badge_lists').select('id').execute()).toHaveLength(1);
  const first = await badgeOf(db, id);
  await signBadges(other, badges, later(2));
  expect(await badgeOf(db, id)).toEqual(first);
  expect(await verify(first ?? {})).toEqual(holds);
});

torture('P66: after a rotation old badges verify, new ones name the new key, and lists are signed by it', async () => {
  const old = await signed('ada@example.com');
  expect(await rotateKey(db, badges, later(60))).toBe('key-2');
  const fresh = await signed('bob@example.com');
  expect(fresh.badge.proof[0].verificationMethod).toBe(`${did()}#key-2`);
  expect(await badgeOf(db, old.id)).toEqual(old.badge);
  expect(await verify(old.badge, later(90))).toEqual(holds);
  expect(await verify(fresh.badge, later(90))).toEqual(holds);
});

test('P66: a compromised key proves nothing, its private part is gone, and its badges are signed again', async () => {
  const { id, badge } = await signed();
  expect(await compromiseKey(db, 'key-1', '2025-11-05')).toBe(1);
  expect(await compromiseKey(db, 'key-1', '2025-11-05')).toBeNull();
  expect(await badgeOf(db, id)).toBeNull();
  const { sealed_key } = await db.selectFrom('badge_keys').select('sealed_key').executeTakeFirstOrThrow();
  expect(sealed_key).toBeNull();
  await signBadges(db, badges, later(120));
  const again = await badgeOf(db, id);
  expect(again?.proof[0].verificationMethod).toBe(`${did()}#key-2`);
  expect(again?.credentialStatus).toEqual(badge.credentialStatus);
  expect(await verify(again ?? {}, later(121))).toEqual(holds);
  expect((await verify(badge, later(121))).signature).not.toBe(true);
  expect((await readKeys(db)).map(({ name }) => name)).toEqual(['key-1', 'key-2']);
});

test('P66: the private key is sealed, and opens for no other secret of the program', async () => {
  await signed();
  const { sealed_key } = await db.selectFrom('badge_keys').select('sealed_key').executeTakeFirstOrThrow();
  expect(sealed_key).toMatch(/^[\w-]{80,}$/);
  await db
    .updateTable('program_secrets')
    .set({ value: 'A'.repeat(43) })
    .where('name', '=', 'badge-keys')
    .execute();
  await attends(db, group, { email: 'bob@example.com' }).then(({ placeId }) => issued(db, placeId));
  await expect(signBadges(db, badges, later(2 * 24 * 60))).rejects.toThrow();
});

test('P66: without a public origin, or an address of the holder, there is no badge', async () => {
  const { placeId } = await attends(db, group, { email: null });
  await issued(db, placeId);
  const { placeId: second } = await attends(db, group, { email: 'ada@example.com' });
  const { id } = await issued(db, second);
  expect(await signBadges(db, { ...badges, origin: null }, later(1))).toBe(0);
  expect(await badgeOf(db, id)).toBeNull();
  expect(await signBadges(db, badges, later(2))).toBe(1);
  // On another origin it is signed anew, with the same bit.
  const before = await badgeOf(db, id);
  expect(await signBadges(db, { ...badges, origin: 'https://bower.example' }, later(3))).toBe(1);
  const after = await badgeOf(db, id);
  expect(after).toMatchObject({ issuer: { id: 'did:web:bower.example' } });
  expect(after?.credentialStatus.statusListIndex).toBe(before?.credentialStatus.statusListIndex);
});

test('P58: erased, the badge with the hash of the address is gone, and its bit stays', async () => {
  const { id, email } = await signed();
  await erasePerson(db, email, { dataDir: '/nonexistent', at: momentAt('2025-12-24T09:00').now });
  expect(await badgeOf(db, id)).toBeNull();
  expect(await signBadges(db, badges, momentAt('2025-12-25T09:00').now)).toBe(0);
  expect(await db.selectFrom('certificate_badges').select('list_index').execute()).toHaveLength(1);
});

test('P66: the loader knows its contexts by hash and throws for every other address', async () => {
  const load = documentLoader();
  await expect(load('https://www.w3.org/ns/credentials/v2')).resolves.toMatchObject({ contextUrl: null });
  for (const url of [
    'https://www.w3.org/2018/credentials/v1',
    'https://w3id.org/security/v2',
    'file:///etc/passwd',
    'constructor',
  ]) {
    await expect(load(url)).rejects.toThrow(`no document is loaded from ${url}`);
  }
});
