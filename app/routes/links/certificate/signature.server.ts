import type { RouterContextProvider } from 'react-router';
import type { Certificate } from '#app/features/certificates/certificate.ts';
import type { Check } from '#app/features/certificates/public-view.server.ts';

/** Where the badge of a certificate is, or why there is none. */
type Badge = { ok: true; links: { to: string; text: string }[] } | { ok: false; why: string };

/** Checks the signature of a certificate's badge. */
export async function checkSignature(
  _context: Readonly<RouterContextProvider>,
  _certificate: Certificate,
): Promise<{ check: Check; badge: Badge }> {
  return {
    check: { holds: null, what: 'No signature', how: 'This certificate has no Open Badge.' },
    badge: { ok: false, why: 'This certificate has no Open Badge.' },
  };
}
