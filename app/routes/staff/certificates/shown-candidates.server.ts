import type { Candidate } from '#app/features/study/certificates/group.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { formatMoment, shortDay } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';
import { boxOf, workBoxOf } from './issue-form.server.ts';

/** A person of a group as the page shows them; what does not apply is empty. */
export function shownCandidate(candidate: Candidate) {
  const { placeId, name, hasEmail, standing } = candidate;
  const issued = standing === 'issued' ? candidate : null;
  const until = issued?.undoUntil && wallClockAt(academyZone, issued.undoUntil).time;
  return {
    placeId,
    box: boxOf(placeId),
    name: showControlCharacters(issued?.certificate.holderName ?? name ?? 'To be named'),
    hasEmail,
    standing,
    met: standing === 'ready' ? candidate.met : '',
    /** The words of the course; null where it asks for no work, and once there is a certificate. */
    work: standing === 'issued' ? null : (candidate.work?.text ?? null),
    workAccepted: acceptedOn(candidate),
    workBox: workBoxOf(placeId),
    why: standing === 'refused' ? candidate.why : [],
    before: standing === 'issued' ? null : candidate.before,
    remark: standing === 'issued' ? null : candidate.remark,
    number: issued?.certificate.number ?? '',
    shownNumber: inFours(issued?.certificate.number ?? ''),
    issuedAt: issued ? formatMoment(issued.certificate.issuedAt) : '',
    undoUntil: until ? formatTime(until) : null,
  };
}

/** Such as `Wed 5 Nov`; null while no mark says that the work was accepted. */
function acceptedOn(candidate: Candidate): string | null {
  const at = candidate.standing === 'issued' ? null : candidate.work?.acceptedAt;
  return at ? shortDay(academyDay(at)) : null;
}

export type ShownCandidate = ReturnType<typeof shownCandidate>;
