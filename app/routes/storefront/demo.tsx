import { href, Link } from 'react-router';
import { demonstrations } from '#app/features/catalogue/site/demonstrations.ts';
import { QuestDemo } from '#app/features/catalogue/site/quest-demo.tsx';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { BowerPicture } from '#app/features/study/bower/bower-picture.tsx';
import { exampleBower } from '#app/features/study/bower/example.ts';
import { bowerFigures, bowerSentence } from '#app/features/study/bower/facts.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/demo';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const facts = exampleBower(context.get(snapshotContext).current());
  return { sentence: bowerSentence(facts), ...bowerFigures(facts) };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Demo',
    'Three moments from quests, step by step: an audit interview, an alert, and a pipeline finding.',
  );

export default function Demo({ loaderData: { sentence, straws, treasures } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Three quest moments"
        lead="An interview, an alert and a stopped build, as they come up in courses. Play them, step through them, or read."
      />
      <div className="page grid gap-12 py-12 lg:py-16">
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
      <section id="bower" className="on-satin bg-satin text-on-satin">
        <div className="page relative">
          <div className="pt-12 md:absolute md:top-12 md:max-w-80 md:pt-0 lg:top-16">
            <h2 className="text-3xl">A player’s bower</h2>
            <p className="mt-3 text-on-satin-mute">
              Every straw is an hour studied. Every treasure is a finished course. The crown has a point for each quest
              line. The bird carries your current course.
            </p>
            <p className="mt-3 font-display text-xl font-bold">
              {straws} straws, {treasures} treasures
            </p>
            <p className="mt-3 text-sm text-on-satin-mute">This one is an example, made from our courses.</p>
          </div>
          <BowerPicture
            wide={href('/art/:kind/:file', { kind: 'example-bower', file: 'wide.svg' })}
            tall={href('/art/:kind/:file', { kind: 'example-bower', file: 'tall.svg' })}
            sentence={sentence}
            late
          />
        </div>
      </section>
    </>
  );
}
