import { data, href, redirect } from 'react-router';
import { numberOf } from '#app/features/certificates/number.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { accountTokens } from '#app/outbox/private-links.server.ts';
import type { Route } from './+types/certificate';

/** Leads a player to their own page of a certificate (P65): the one that the place's private link has. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { person, signIn } = playerFor(context);
  const { db } = context.get(academyContext);
  const { secret } = context.get(signInContext);
  const number = numberOf(params.number) ?? '';
  const found = await orAway(() =>
    db
      .selectFrom('certificates')
      .innerJoin('places', 'places.id', 'place_id')
      .innerJoin('attendees', 'attendees.id', 'attendee_id')
      .select(['places.id', 'attendee_id', 'attendees.enrolment_id'])
      .where('certificates.number', '=', number)
      .where('certificates.state', '<>', 'undone')
      .where('attendees.person_id', '=', person.id)
      .executeTakeFirst(),
  );
  if (!found) throw data('You have no certificate of this number.', { status: 404 });
  const target = { enrolmentId: found.enrolment_id, attendeeId: found.attendee_id };
  const [token = ''] = await orAway(() => accountTokens(db, { signInId: signIn.id, secret }, [target]));
  throw redirect(href('/place/:token/:placeId/certificate', { token, placeId: String(found.id) }));
}
