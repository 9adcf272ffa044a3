import { href, type RouterContextProvider } from 'react-router';
import { badgesContext } from '#app/features/study/badges/badge.ts';
import { didDocument } from '#app/features/study/badges/documents.ts';
import { readKeys } from '#app/features/study/badges/keys.server.ts';
import { findBadge, findList } from '#app/features/study/badges/queries.server.ts';
import type { Certificate } from '#app/features/study/certificates/certificate.ts';
import type { Check } from '#app/features/study/certificates/public-view.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { logContext } from '#app/http/context.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

/** The address of the badge of a certificate, or the reason why there is none. */
type Badge = { ok: true; links: { to: string; text: string }[] } | { ok: false; why: string };

type Signature = {
  check: Check;
  badge: Badge;
  /** The instant at which the list with the badge's status was signed; null without a badge. */
  listOf: string | null;
};

const without = (why: string): Signature => ({
  check: { holds: null, what: 'No digital signature', how: 'This page is our own record of it' },
  badge: { ok: false, why },
  listOf: null,
});

/** For an employer: a missing badge says nothing against a certificate. */
const noBadge = {
  yet: 'We do not make digital badges yet. The certificate does not need one: we looked it up in our records for this page.',
  soon: 'We add a digital badge soon after issuing, when we have the holder’s email address. The certificate does not need one: we looked it up in our records for this page.',
  ended: 'This certificate has no digital badge.',
};

/** The badge of a certificate, and whether its signature holds: verified by the same code as a stranger's verifier. */
export async function checkSignature(
  context: Readonly<RouterContextProvider>,
  { id, number, state }: Certificate,
): Promise<Signature> {
  const { db, clock } = context.get(academyContext);
  const badges = context.get(badgesContext);
  const stored = await findBadge(db, id);
  if (badges.origin === null) return without(state === 'issued' ? noBadge.yet : noBadge.ended);
  if (!stored) return without(state === 'issued' ? noBadge.soon : noBadge.ended);
  const keys = await readKeys(db);
  const list = await findList(db, stored.listId);
  const badge: Badge = {
    ok: true,
    links: [
      { to: href('/certificates/:number/badge.json', { number }), text: 'Download the badge' },
      { to: href('/.well-known/did.json'), text: 'Our public key' },
      { to: href('/certificates/status/:list', { list: String(stored.listId) }), text: 'Status list' },
    ],
  };
  const listOf = list && formatMoment(list.signedAt);
  try {
    const didOfBadge = didDocument(stored.origin, keys);
    const { verified, at } = await badges.verify(
      { credential: stored.credential, didDocument: didOfBadge },
      clock.now(),
    );
    const year = wallClockAt(academyZone, stored.keyMadeAt).day.slice(0, 4);
    const time = formatTime(wallClockAt(academyZone, at).time);
    const check: Check = verified
      ? { holds: true, what: 'Signature holds', how: `Key of ${year}, checked at ${time}` }
      : { holds: false, what: 'Signature does not hold', how: 'Please tell us: something is wrong here' };
    return { check, badge, listOf };
  } catch (err) {
    context.get(logContext).error({ err }, 'a badge could not be verified');
    const check: Check = { holds: null, what: 'Signature', how: 'Could not be checked right now' };
    return { check, badge, listOf };
  }
}
