import type { Db } from '#app/db/client.server.ts';
import type { Certificate } from './certificate.ts';
import { linkedInOf } from './links.ts';
import { inFours } from './number.ts';
import { dayInWords, hollowOfCertificate, issuedOn, sheetOf } from './sheet.server.ts';

/** The holder's view of a certificate (P65), the same by private link and account. */
export async function ownView(db: Db, certificate: Certificate, origin: string) {
  const { id, number, facts, state, holderName, shows, issuedAt, endedAt, reason } = certificate;
  const asked = await db
    .selectFrom('certificate_names')
    .select(['name', 'taken'])
    .where('certificate_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    number,
    shownNumber: inFours(number),
    title: facts.course.title,
    state,
    name: holderName ?? '',
    shows,
    issued: dayInWords(issuedAt),
    ended: endedAt && dayInWords(endedAt),
    reason,
    // A name that staff look at, and one that they did not take.
    asked: asked?.taken === null ? asked.name : null,
    refused: asked?.taken === false,
    sheet: state === 'issued' ? sheetOf(certificate, holderName, origin) : null,
    hollow: state === 'issued' ? [] : hollowOfCertificate(certificate),
    linkedIn: linkedInOf(certificate, issuedOn(certificate), origin),
  };
}
export type OwnView = Awaited<ReturnType<typeof ownView>>;
