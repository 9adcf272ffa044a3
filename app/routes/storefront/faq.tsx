import { href, Link } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Prose } from '#app/ui/prose.tsx';
import type { Route } from './+types/faq';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const { texts } = context.get(snapshotContext).current();
  return texts.faq.map((section) => ({
    ...section,
    questions: section.questions.map(({ question, answer }) => ({ question, html: renderMarkdown(answer) })),
  }));
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'FAQ',
    'Straight answers on choosing a course, dates and places, prices, enrolment, exams, and your data.',
  );

export default function Faq({ loaderData: sections }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Frequently asked questions"
        lead="Straight answers. If yours is missing, ask us: we answer within one business day."
      >
        <Link to={href('/contact')} className={button.straw}>
          Ask us
        </Link>
      </PageHead>
      <div className="page grid gap-12 py-12 lg:py-16">
        {sections.map((section) => (
          <section
            key={section.slug}
            id={section.slug}
            className="grid gap-x-14 gap-y-4 lg:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <h2 className="text-2xl">{section.title}</h2>
            <div>
              {section.questions.map(({ question, html }) => (
                <details key={question} className="group border-b border-line">
                  <summary className="flex min-h-11 items-center justify-between gap-4 py-3 text-lg font-bold">
                    {question}
                    <span aria-hidden="true" className="text-2xl leading-none text-link group-open:rotate-45">
                      +
                    </span>
                  </summary>
                  <div className="pb-5">
                    <Prose html={html} />
                  </div>
                </details>
              ))}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}
