import type { Certificate } from './certificate.ts';
import { heldInWords, metInWords, ruleInWords } from './facts.ts';
import { inFours } from './number.ts';
import { dayInWords, hollowOfCertificate, sheetOf } from './sheet.server.ts';

/** One check on a public page: its subject and its result, in words. */
export type Check = { holds: boolean | null; what: string; how: string };

/**
 * The public page of a certificate (P65), the same for every visitor. `last` is the latest certificate of its place,
 * valid or not: the page of an old number names it.
 */
export function publicView(
  certificate: Certificate,
  last: Certificate,
  origin: string,
  { check, listOf }: { check: Check; listOf: string | null },
) {
  const { number, facts, shows, holderName, issuedAt, supersededBy } = certificate;
  const { state, endedAt, reason } = last.state === 'issued' ? certificate : last;
  const { course, issuer } = facts;
  const name = shows === 'valid' ? null : holderName;
  const issued = dayInWords(issuedAt);
  const ended = endedAt && dayInWords(endedAt);
  const issuedFor = `${issuer.name} issued it on ${issued} for ${course.title}`;
  const again = supersededBy ? `, again as ${inFours(last.number)} with the name corrected,` : '';
  const heads = {
    issued: {
      verdict: `Valid: ${name ?? 'its holder'} finished ${course.title}.`,
      lead: `${issuer.name} issued it on ${issued}, and nothing has changed since.`,
    },
    revoked: {
      verdict: `Revoked: this certificate has not held since ${ended}.`,
      lead: `${issuedFor}${again} and took it back. Reason: ${reason}.`,
    },
    withdrawn: {
      verdict: `Withdrawn by its holder on ${ended}.`,
      lead: `${issuedFor}${again.replace(/,$/, '')}. Its holder does not show it any more.`,
    },
    superseded: {
      verdict: `Issued again as ${inFours(supersededBy ?? '')}.`,
      lead: `${issuedFor}, and again on ${ended} with the name corrected.`,
    },
    // Never looked up: such a number is unknown.
    undone: { verdict: '', lead: '' },
  };
  return {
    number,
    shownNumber: inFours(number),
    state,
    ...heads[state],
    supersededBy,
    checks: checksOf({ ...certificate, state }, { check, listOf }, ended),
    course: { title: course.title, slug: course.slug, level: course.level },
    held: heldInWords(facts),
    instructor: facts.instructor,
    rule: ruleInWords(facts),
    met: metInWords(facts),
    notShown: facts.notShown,
    recognition: facts.recognition,
    showsName: name !== null,
    sheet: state === 'issued' ? sheetOf(certificate, name, origin) : null,
    hollow: state === 'issued' ? [] : hollowOfCertificate(certificate),
  };
}
export type PublicView = ReturnType<typeof publicView>;

function checksOf(
  { state, facts, supersededBy }: Certificate,
  { check, listOf }: { check: Check; listOf: string | null },
  ended: string | null,
): Check[] {
  const by = listOf ? `Status list of ${listOf}` : 'By our records, looked at just now';
  return [
    { holds: true, what: 'Issued by us', how: `${unbrokenAbn(facts.issuer.company)}, Brisbane` },
    check,
    state === 'revoked'
      ? { holds: false, what: 'Revoked', how: `${ended}` }
      : state === 'withdrawn'
        ? { holds: false, what: 'Withdrawn', how: `${ended}, by its holder` }
        : { holds: true, what: 'Not revoked', how: by },
    supersededBy
      ? { holds: false, what: 'Superseded', how: `Issued again as ${inFours(supersededBy)}` }
      : { holds: true, what: 'Not superseded', how: 'No newer certificate takes its place' },
  ];
}

/** Its ABN stays on one line. */
const unbrokenAbn = (company: string) => company.replace(/ABN [\d ]+/, (abn) => abn.replaceAll(' ', '\u00a0'));
