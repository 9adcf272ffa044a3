import type { CertificateState } from '#app/features/study/certificates/facts.ts';
import { Pill } from '#app/ui/staff/typography.tsx';

const words: Record<CertificateState, { look: 'calm' | 'over' | 'alarm'; text: string }> = {
  issued: { look: 'calm', text: 'Issued' },
  undone: { look: 'over', text: 'Undone' },
  revoked: { look: 'alarm', text: 'Revoked' },
  withdrawn: { look: 'over', text: 'Withdrawn' },
  superseded: { look: 'over', text: 'Issued again' },
};

/** The state of a certificate, in a word. */
export function StatePill({ state }: { state: CertificateState }) {
  const { look, text } = words[state];
  return <Pill look={look}>{text}</Pill>;
}
