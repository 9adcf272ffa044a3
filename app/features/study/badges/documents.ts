import { createHash } from 'node:crypto';
import type { Certificate } from '#app/features/study/certificates/certificate.ts';
import { heldInWords, metInWords, ruleInWords } from '#app/features/study/certificates/facts.ts';
import { publicAddress } from '#app/features/study/certificates/links.ts';
import { dayMs } from '#app/lib/durations.ts';

/** A document with its proofs, as it was signed. */
export type SignedJson = Readonly<Record<string, unknown>>;

/** The DID of a public origin (did:web): a port is written with %3A. */
export const didOf = (origin: string): string => `did:web:${new URL(origin).host.replace(':', '%3A')}`;

const statusListAddress = (origin: string, listId: number): string => `${origin}/certificates/status/${listId}`;

const credentialsContext = 'https://www.w3.org/ns/credentials/v2';
const badgeContexts = [
  credentialsContext,
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
  // It has the type of the schema below.
  'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json',
];

type Badge = {
  certificate: Certificate;
  /** The holder's address, which the badge holds as a hash. */
  email: string;
  salt: string;
  status: { listId: number; index: number };
  origin: string;
};

/** The Open Badge of a certificate before it is signed (P66). It names nobody: the holder is a hash of their address. */
export function badgeDocument({ certificate, email, salt, status, origin }: Badge): object {
  const { facts, number, issuedAt } = certificate;
  const { course, issuer } = facts;
  const page = publicAddress(origin, number);
  const profile = { id: didOf(origin), type: ['Profile'], name: issuer.name, url: origin };
  const list = statusListAddress(origin, status.listId);
  return {
    '@context': badgeContexts,
    id: `${page}/badge.json`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: course.title,
    description: `${heldInWords(facts)}. Check it at ${page}.`,
    issuer: profile,
    validFrom: instant(issuedAt),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        {
          type: 'IdentityObject',
          hashed: true,
          identityHash: hashOfAddress(email, salt),
          identityType: 'emailAddress',
          salt,
        },
      ],
      achievement: {
        id: `${origin}/course/${course.slug}#certificate`,
        type: ['Achievement'],
        achievementType: 'CertificateOfCompletion',
        creator: profile,
        name: course.title,
        description: course.description,
        criteria: {
          narrative: [
            `${ruleInWords(facts)}. Met by: ${metInWords(facts)}.`,
            ...facts.notShown,
            facts.recognition,
          ].join(' '),
        },
        image: { id: `${page}/badge.png`, type: 'Image', caption: `The treasure of ${course.title}` },
      },
    },
    credentialSchema: [
      {
        id: 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json',
        type: '1EdTechJsonSchemaValidator2019',
      },
    ],
    credentialStatus: {
      id: `${list}#${status.index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(status.index),
      statusListCredential: list,
    },
  };
}

/** As OB 3.0 defines it: SHA-256 of the address followed by the salt, in hex, after the name of the algorithm. */
const hashOfAddress = (email: string, salt: string): string =>
  `sha256$${createHash('sha256').update(`${email}${salt}`, 'utf8').digest('hex')}`;

/** The life of a status list. It is signed again each day, so badges go on verifying if three days are missed. */
const validForMs = 3 * dayMs;

/** A status list before its bits are put in and it is signed (BitstringStatusList 1.0). */
export function statusListDocument({ listId, origin, at }: { listId: number; origin: string; at: Date }): object {
  const id = statusListAddress(origin, listId);
  return {
    '@context': [credentialsContext],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: didOf(origin),
    validFrom: instant(at),
    validUntil: instant(new Date(at.getTime() + validForMs)),
    credentialSubject: { id: `${id}#list`, type: 'BitstringStatusList', statusPurpose: 'revocation' },
  };
}

export type PublicKey = { name: string; publicKey: string; madeAt: Date; compromisedOn: string | null };

/**
 * The academy's DID document. It keeps every key by its id; one that others may have had is revoked from that day, and
 * nothing that it signed is proof any more.
 */
export function didDocument(origin: string, keys: readonly PublicKey[]): object {
  const did = didOf(origin);
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: keys.map(({ name, publicKey, compromisedOn }) => ({
      id: `${did}#${name}`,
      type: 'Multikey',
      controller: did,
      publicKeyMultibase: publicKey,
      ...(compromisedOn && { revoked: `${compromisedOn}T00:00:00Z` }),
    })),
    assertionMethod: keys.filter(({ compromisedOn }) => !compromisedOn).map(({ name }) => `${did}#${name}`),
  };
}

/** An instant to the second, as XML Schema writes it. */
const instant = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
