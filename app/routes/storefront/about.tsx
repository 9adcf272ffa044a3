import { href, Link } from 'react-router';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { claimsFor } from '#app/features/catalogue/site/claims.ts';
import { Figures } from '#app/features/catalogue/site/figures.tsx';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { Icon } from '#app/ui/icon.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/about';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const { texts, instructors } = context.get(snapshotContext).current();
  return {
    claims: claimsFor(texts.claims, 'about'),
    instructors: [...instructors.values()].map(({ slug, name, expertise, experience }) => ({
      slug,
      name,
      expertise,
      experience,
    })),
  };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'About Us',
    'A Brisbane academy for cybersecurity, AI, cloud and IT: what we do, who teaches, and what you can expect of us.',
  );

const aims = [
  {
    title: 'Our Mission',
    icon: 'shield',
    text: 'To teach people to defend the systems that others rely on, at any age and from any former trade, with pages you can rely on.',
  },
  {
    title: 'Our Vision',
    icon: 'compass',
    text: 'An Australia in which every council, clinic and small firm has someone nearby who can secure it, because anyone could learn how.',
  },
] as const;

const reasons = [
  {
    title: 'Expert Instructors',
    icon: 'crown',
    text: 'Everyone who teaches here has worked or taught in the field for more than ten years. Their names are below, and on each of their courses.',
  },
  {
    title: 'Hands-On Learning',
    icon: 'terminal',
    text: 'Courses are built around things to do: alerts to triage, systems to break and fix, audits to plan and write up.',
  },
  {
    title: 'Industry Recognition',
    icon: 'scroll',
    text: 'A course for an outside exam follows the outline of the body that runs it, such as CompTIA, ISC2, ISACA, Microsoft or PECB, in the version named on its page. The other courses end in our own certificate.',
  },
] as const;

export default function About({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="About Bowerbird Academy"
        lead="The satin bowerbird of south-east Queensland builds an avenue of sticks and lays blue treasures before it. We think of skills that way: collected one at a time, arranged with care, and worth showing."
      >
        <Link to={href('/courses')} className={button.straw}>
          View Courses
        </Link>
        <Link to={`${href('/contact')}?interest=other`} className={button.onSatin}>
          Contact Us
        </Link>
      </PageHead>
      <div className="page grid gap-12 py-12 lg:py-16">
        <div className="grid gap-5 lg:grid-cols-2 lg:gap-8">
          {aims.map(({ title, icon, text }) => (
            <section
              key={title}
              className="flex flex-col gap-5 rounded-card border border-line bg-card p-6 sm:flex-row sm:gap-7 sm:p-8"
            >
              <Icon name={icon} className="size-14 shrink-0 text-link sm:size-20" />
              <div>
                <h2 className="text-3xl">{title}</h2>
                <p className="mt-4 text-lg">{text}</p>
              </div>
            </section>
          ))}
        </div>
        <section>
          <h2 className="text-3xl">Why choose the academy</h2>
          <ul className="mt-7 grid gap-x-10 gap-y-8 lg:grid-cols-3">
            {reasons.map(({ title, icon, text }) => (
              <li key={title} className="border-t-2 border-line pt-5">
                <Icon name={icon} className="size-9 text-link" />
                <h3 className="mt-3 text-[1.375rem]">{title}</h3>
                <p className="mt-2 text-mute">{text}</p>
              </li>
            ))}
          </ul>
        </section>
        {loaderData.claims.length > 0 && (
          <section>
            <h2 className="mb-7 text-3xl">In figures</h2>
            <Figures claims={loaderData.claims} />
          </section>
        )}
        <section>
          <h2 className="text-3xl">Who teaches</h2>
          <p className="mt-3 max-w-prose text-mute">Each portrait shows a feather and a symbol of their field.</p>
          <ul className="mt-6 grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
            {loaderData.instructors.map(({ slug, name, expertise, experience }) => (
              <li key={slug} className="flex gap-4">
                <Portrait slug={slug} className="size-18" />
                <div className="min-w-0">
                  <p className="font-bold">
                    <Link
                      to={href('/instructors/:instructorId', { instructorId: slug })}
                      prefetch="intent"
                      className="underline-offset-4 hover:underline"
                    >
                      {name}
                    </Link>
                  </p>
                  <p className="text-mute">{expertise}</p>
                  <p className="text-sm text-mute">{experience}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}
