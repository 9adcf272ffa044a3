import { href, Link } from 'react-router';
import { demonstrations } from '#app/features/site/demonstrations.ts';
import { QuestDemo } from '#app/features/site/quest-demo.tsx';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/demo';

export const handle: SharedPage = { shared: { parameters: [] } };

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Demo',
    'Three moments from quests, step by step: an audit interview, an alert, and a pipeline finding.',
  );

export default function Demo() {
  return (
    <>
      <PageHead
        title="Three quest moments"
        lead="An interview, an alert and a stopped build, as they come up in courses. Play them, step through them, or read."
      />
      <div className="page grid gap-14 py-12 lg:gap-18 lg:py-16">
        {demonstrations.map(({ id, title, lead, courseSlug, steps }) => (
          <section key={id} id={id} className="grid gap-6 lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-14">
            <div>
              <h2 className="text-3xl">{title}</h2>
              <p className="mt-3 max-w-prose text-mute">{lead}</p>
              <Link
                to={href('/course/:courseId', { courseId: courseSlug })}
                aria-label={`The course it comes from: ${title}`}
                className={`${button.quiet} mt-6`}
              >
                The course it comes from
              </Link>
            </div>
            <QuestDemo steps={steps} />
          </section>
        ))}
      </div>
    </>
  );
}
