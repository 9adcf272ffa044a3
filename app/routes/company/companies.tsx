import { href, Link, redirect } from 'react-router';
import { organisationsOf } from '#app/features/companies/company-page.server.ts';
import { playerFor } from '#app/features/people/players.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/companies';

/** The organisations that a player manages (P116); of one only, its page. */
export async function loader({ context }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  const found = await unlessDatabaseAway(() => organisationsOf(context.get(academyContext).db, person.id));
  const [only] = found;
  if (only && found.length === 1) throw redirect(href('/company/:id', { id: String(only.id) }), 302);
  return {
    organisations: found.map(({ id, name }) => ({ id: String(id), name })),
    phone: context.get(academyContext).academy().phone,
  };
}

export const meta = () => [{ title: 'Your organisations | Bowerbird Academy' }];

const link = 'font-bold text-link underline underline-offset-4';

export default function Companies({ loaderData: { organisations, phone } }: Route.ComponentProps) {
  return (
    <div className="max-w-prose">
      <h1 className="text-4xl lg:text-5xl">Your organisations</h1>
      {organisations.length === 0 ? (
        <>
          <p className="mt-6">
            You manage no organisation. Open an enrolment that an organisation pays and choose “Share it with your
            organisation”, or ask one of its managers to name you. Questions? Call {phone}.
          </p>
          <p className="mt-4">
            <Link to={href('/account')} className={link}>
              Your account
            </Link>
          </p>
        </>
      ) : (
        <ul className="mt-6">
          {organisations.map(({ id, name }) => (
            <li key={id} className="border-t border-line py-4">
              <Link to={href('/company/:id', { id })} className={`${link} text-lg wrap-anywhere`}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
