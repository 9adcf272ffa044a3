import { encode } from 'uqr';
import type { CertificateSheetProps } from '#app/documents/certificate-sheet.tsx';
import { academyDay } from '#app/lib/academy-day.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { hollowOf, type Treasure, treasureOf } from '#app/ui/treasure-art.ts';
import type { Certificate } from './certificate.ts';
import { heldInWords, metAndRule, strawsOf } from './facts.ts';
import { printedAddress, publicAddress } from './links.ts';
import { inFours } from './number.ts';

/** The day in Brisbane on which a certificate was issued. */
export const issuedOn = ({ issuedAt }: Pick<Certificate, 'issuedAt'>): string => academyDay(issuedAt);

/** `4 December 2026`. */
export const dayInWords = (at: Date): string => {
  const day = academyToday({ now: () => at, aheadMs: 0 });
  return formatDays(day, day);
};

/** The treasure of a certificate, as it was when it was issued. */
export const treasureOfCertificate = ({ facts }: Pick<Certificate, 'facts'>): Treasure =>
  treasureOf({ ...facts.treasure, seed: facts.course.slug });

/** Its dotted outline, where there is no certificate any more. */
export const hollowOfCertificate = ({ facts }: Pick<Certificate, 'facts'>): readonly string[] =>
  hollowOf(facts.treasure.icon);

/** The texts of a certificate's sheet, on paper and on its page. Without a name it says so. */
export function sheetOf(certificate: Certificate, name: string | null, origin: string): CertificateSheetProps {
  const { facts, number, issuedAt } = certificate;
  const { straws, each } = strawsOf(facts);
  return {
    academy: facts.issuer.name,
    company: facts.issuer.company,
    name,
    title: facts.course.title,
    held: heldInWords(facts),
    met: metAndRule(facts),
    instructor: facts.instructor,
    issued: `Issued in Brisbane, ${dayInWords(issuedAt)}`,
    number: inFours(number),
    checkAt: printedAddress(origin),
    qr: qrPath(publicAddress(origin, number)),
    straws,
    each,
    seed: number,
    treasure: treasureOfCertificate(certificate),
    recognition: facts.recognition,
    notShown: facts.notShown.join(' '),
    asOf: issuedOn(certificate),
  };
}

/** A QR code: its size in modules, and its dark ones as one path of that grid. */
export function qrPath(text: string): { size: number; d: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const d = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size, d };
}
