import { data, href, redirect } from 'react-router';
import { playerFor } from '#app/features/people/players.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { numberOf } from '#app/features/study/certificates/number.ts';
import { findOwnCertificate } from '#app/features/study/certificates/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { accountTokens } from '#app/outbox/private-links.server.ts';
import type { Route } from './+types/certificate';

/**
 * Leads a player to their own page of a certificate (P65), that of the place's private link. A certificate belongs to
 * the person who earned it (P50): if somebody else has the place now, it leads to the public page.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { person, signIn } = playerFor(context);
  const { db } = context.get(academyContext);
  const { secret } = context.get(signInContext);
  const number = numberOf(params.number) ?? '';
  const found = await unlessDatabaseAway(() => findOwnCertificate(db, { number, personId: person.id }));
  if (!found) throw data('You have no certificate of this number.', { status: 404 });
  // The place is somebody else's by now; its private page is theirs.
  if (found.person_id !== person.id) throw redirect(href('/certificates/:number', { number }));
  const target = { enrolmentId: found.enrolment_id, attendeeId: found.attendee_id };
  const [token = ''] = await unlessDatabaseAway(() => accountTokens(db, { signInId: signIn.id, secret }, [target]));
  throw redirect(href('/place/:token/:placeId/certificate', { token, placeId: String(found.id) }));
}
