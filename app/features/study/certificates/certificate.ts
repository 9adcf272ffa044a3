import type { CertificateFacts, CertificateState, Shows } from './facts.ts';

/** A certificate with its facts and state. */
export type Certificate = {
  id: number;
  /** Without spaces. */
  number: string;
  placeId: number;
  facts: CertificateFacts;
  /** Null once its holder was erased. */
  holderName: string | null;
  shows: Shows;
  state: CertificateState;
  issuedAt: Date;
  endedAt: Date | null;
  /** Why it was revoked. */
  reason: string | null;
  /** The number of the certificate that takes its place. */
  supersededBy: string | null;
  /** The number of the certificate whose place it took. */
  supersedes: string | null;
};
