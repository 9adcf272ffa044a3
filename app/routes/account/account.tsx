import { href, Link } from 'react-router';
import { readEnrolmentsOf } from '#app/features/enrolments/of-person.server.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { dayIn, formatDay } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/account';

export const meta = () => [{ title: 'Your account | Bowerbird Academy' }];

export async function loader({ context }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  const { db } = context.get(academyContext);
  const enrolments = await orAway(() => readEnrolmentsOf(db, person.id));
  return {
    name: person.name,
    enrolments: enrolments.map(({ placedAt, ...one }) => ({
      ...one,
      placedOn: formatDay(dayIn('Australia/Brisbane', placedAt)),
    })),
  };
}

export default function Account({ loaderData: { name, enrolments } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-4xl lg:text-5xl">{name ? `Hello, ${name}` : 'Your account'}</h1>
      {enrolments.length === 0 ? (
        <div className="mt-6">
          <p className="mb-6 max-w-prose">
            What you buy or attend with your email address will be listed here. You have no enrolments yet.
          </p>
          <Link to={href('/courses')} reloadDocument className={button.primary}>
            Browse courses
          </Link>
        </div>
      ) : (
        <section className="mt-10">
          <h2 className="text-2xl">Your enrolments</h2>
          <ul className="mt-5">
            {enrolments.map(({ reference, title, placedOn, bought }) => (
              <li key={reference} className="grid gap-1 border-t border-line py-5">
                <h3 className="text-lg">{title}</h3>
                <p className="text-sm text-mute">
                  {reference}. {bought ? 'You enrolled' : 'You were enrolled'} on {placedOn}.
                </p>
              </li>
            ))}
          </ul>
          <p className="mt-4 max-w-prose">
            The private link in your confirmation opens each of them. If you lost it,{' '}
            <Link
              to={href('/enrolments')}
              reloadDocument
              className="font-semibold text-link underline underline-offset-4"
            >
              have it sent again
            </Link>
            .
          </p>
        </section>
      )}
    </>
  );
}
