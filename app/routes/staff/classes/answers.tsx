import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listWaitingAnswers } from '#app/features/progress/answers.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { PageHead } from '#app/ui/staff/heads.tsx';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/answers';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'exercises:read');
  const answers = await orAway(() => listWaitingAnswers(context.get(academyContext).db, actor));
  return answers.map(({ id, name, title, module, module_title, handed_in_at }) => ({
    id,
    name: showControlCharacters(name ?? '') || 'To be named',
    course: title,
    module: `${module}. ${module_title}`,
    at: formatMoment(handed_in_at),
  }));
}

export const meta = () => staffMeta('Exercises');

/** Exercises of guided study that wait to be marked, oldest first (P60). */
export default function Answers({ loaderData: answers }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Exercises" beside="to mark, the oldest first" />
      <Rows
        rows={answers}
        keyOf={({ id }) => id}
        columns="md:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)_11rem]"
        leads
        none={<Words>No exercise waits to be marked.</Words>}
      >
        {({ id, name, course, module, at }) => (
          <>
            <RowLink to={href('/staff/answers/:id', { id: String(id) })}>{name}</RowLink>
            <span>{course}</span>
            <span>{module}</span>
            <span className="tabular text-mute">{at}</span>
          </>
        )}
      </Rows>
    </>
  );
}
