import { playerFor } from '#app/features/people/players.server.ts';
import type { Route } from './+types/settings';

export const meta = () => [{ title: 'Settings | Bowerbird Academy' }];

export function loader({ context }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  return { email: person.email };
}

export default function Settings({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-4xl lg:text-5xl">Settings</h1>
      <p className="mt-6">You log in as {loaderData.email}.</p>
    </>
  );
}
