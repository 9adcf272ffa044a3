import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listWaitingAnswers } from '#app/features/study/answers.server.ts';
import { listAskedModules } from '#app/features/study/modules.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/answers';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'exercises:read');
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const [answers, modules] = [await listWaitingAnswers(db, actor), await listAskedModules(db, actor)];
    return {
      answers: answers.map(({ id, name, title, module, module_title, handed_in_at }) => ({
        id,
        name: showControlCharacters(name ?? '') || 'To be named',
        course: title,
        module: `${module}. ${module_title}`,
        at: formatMoment(handed_in_at),
      })),
      modules: modules.map(({ course, courseTitle, number, title, by, instructor }) => ({
        to: href('/staff/modules/:course/:number', { course, number: String(number) }),
        instructor,
        course: courseTitle,
        module: `${number}. ${title}`,
        by: `by ${shortDate(by)}`,
      })),
    };
  });
}

export const meta = () => staffMeta('Exercises');

const columns = 'md:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)_11rem]';

/** Exercises of guided study that wait to be marked, oldest first (P60), and modules to hand out (P105). */
export default function Answers({ loaderData: { answers, modules } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Exercises" beside="to mark, the oldest first" />
      {modules.length > 0 && (
        <section aria-labelledby="to-hand-out" className="mb-8">
          <h2 id="to-hand-out" className="mb-2 text-lg">
            Modules to hand out
          </h2>
          <Rows rows={modules} keyOf={({ to }) => to} columns={columns} leads>
            {({ to, instructor, course, module, by }) => (
              <>
                <RowLink to={to}>{module}</RowLink>
                <span>{course}</span>
                <span>{instructor}</span>
                <span className="tabular text-mute">{by}</span>
              </>
            )}
          </Rows>
        </section>
      )}
      <Rows
        rows={answers}
        keyOf={({ id }) => id}
        columns={columns}
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
