import { data } from 'react-router';
import { modulePartsOf } from '#app/features/content/module-schema.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { blankForm } from '#app/http/take-form.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/module-preview';
import { TopicList } from './module-list.tsx';
import { ModuleStudy } from './module-study.tsx';
import { previewedModuleContext } from './previewed-module.ts';

/** A module as somebody sees it who has opened it and handed nothing in. Only staff's preview renders it (P72). */
export async function loader({ context }: Route.LoaderArgs) {
  const module = context.get(previewedModuleContext);
  if (!module) throw data('no-link', { status: 404 });
  const { number, title, body } = module;
  const store = context.get(snapshotContext);
  const course = store.current().bySlug.get(module.course);
  const read = course && (await store.details(course.id));
  const curriculum = read?.ok ? read.details.curriculum : [];
  // A draft may still lack its two headings.
  const parts = modulePartsOf(body);
  return {
    number,
    title,
    course: course?.card.title ?? '',
    topics: curriculum.find((one) => one.module === title)?.topics ?? [],
    study: {
      reading: renderMarkdown(parts?.reading ?? body),
      exercise: parts && renderMarkdown(parts.exercise),
      state: 'none' as const,
      thread: [],
      draftSaved: null,
    },
    form: { ...blankForm(), values: { answer: '', link: '' } },
  };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'A module of your course', 'What a module covers, its reading and its exercise.', noPage);

export default function ModulePreview({
  loaderData: { number, title, course, topics, study, form },
}: Route.ComponentProps) {
  return (
    <>
      <CheckoutHead title={`${number}. ${title}`} lead={<Unbroken text={course} />} />
      <div className="page grid max-w-[44rem] grid-cols-1 gap-8 pt-4 pb-10">
        {topics.length > 0 && (
          <section>
            <h2 className="text-2xl">What it covers</h2>
            <TopicList topics={topics} />
          </section>
        )}
        <ModuleStudy study={study} form={form} path="" open />
      </div>
    </>
  );
}
