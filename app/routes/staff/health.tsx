import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type HealthLine, healthContext } from '#app/http/health.server.ts';
import { Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/health';
import { staffMeta } from './frame/staff-meta.ts';

/** How this program is, for those who run it (P94). */
export async function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'faults:read');
  return context.get(healthContext)();
}

export const meta = () => staffMeta('Health');

const titles: Record<HealthLine['part'], { text: string; to?: string }> = {
  pages: { text: 'Pages' },
  database: { text: 'Database' },
  mail: { text: 'Mail', to: href('/staff/mail') },
  jobs: { text: 'Jobs', to: href('/staff/faults') },
  backup: { text: 'Backup' },
  disk: { text: 'Disk' },
  connections: { text: 'Connections' },
  statements: { text: 'Slow statements' },
};

export default function Health({ loaderData: { lines, slow } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-2xl">Health</h1>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        How the program is at this moment. Where several run, another one may answer next. Load the page again to see
        the latest.
      </p>
      <Table head={['Part', 'State', 'Now']} label="Health" stacks>
        {lines.map(({ part, isGood, now }) => {
          const { text, to } = titles[part];
          return (
            <tr key={part + now}>
              <td className="font-semibold">{to ? <TextLink to={to}>{text}</TextLink> : text}</td>
              <td className={isGood ? '' : 'font-bold text-fault'}>{isGood ? 'Good' : 'Look at it'}</td>
              <td className="break-words">{now}</td>
            </tr>
          );
        })}
      </Table>
      {slow.length > 0 && (
        <>
          <h2 className="mt-8 mb-2 border-b border-rule pb-1.5 text-lg">Slow statements</h2>
          <Words>The last ten since the start that took longer than a second, without their values.</Words>
          <ul className="mt-3 space-y-3">
            {slow.map(({ text, when }) => (
              <li key={when + text}>
                <p className="tabular text-sm text-mute">{when}</p>
                <p className="break-words font-mono text-sm">{text}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
