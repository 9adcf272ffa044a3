import { href, Link } from 'react-router';
import { QuestDemo } from '#app/features/site/quest-demo.tsx';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';

export const meta = () =>
  pageMeta('Demo', 'A moment from a quest: one alert in a security operations centre, from first look to handover.');

export default function Demo() {
  return (
    <>
      <PageHead
        title="A quest moment: triage"
        lead="One alert from a lab of the SOC Analyst course, from the first look to the handover. Names and addresses are made up."
      />
      <div className="page py-12 lg:py-16">
        <div className="max-w-3xl">
          <QuestDemo />
          <Link
            to={href('/course/:courseId', { courseId: 'soc-analyst-hands-on' })}
            className={`${button.quiet} mt-10`}
          >
            The course it comes from
          </Link>
        </div>
      </div>
    </>
  );
}
