import { href, Link } from 'react-router';
import type { SharedPage } from '#app/http/shared-page.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/login';

export const handle: SharedPage = { shared: { parameters: [] } };

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Login', 'Player accounts are not open yet. Find what you sent us by its reference.', noPage);

/** Where Login leads until there are accounts: the truth, and the ways on. */
export default function Login() {
  return (
    <>
      <PageHead title="Player accounts are not open yet" lead="You don’t need an account." />
      <div className="page py-12 lg:py-16">
        <div className="prose">
          <p>
            You can browse, ask and enrol without one. When you send a form or enrol, you get a reference such as
            BB-7KQ2MX. Quote it when you email or call us. Your enrolment also has its own page: the private link is in
            your confirmation. If you have lost that link,{' '}
            <Link to={href('/enrolments')} reloadDocument>
              have it sent again
            </Link>
            .
          </p>
          <p>If you are in a course, use the link that we emailed you to open its labs.</p>
        </div>
        <div className="mt-8 flex flex-wrap gap-3">
          <Link to={href('/contact')} className={button.primary}>
            Contact us
          </Link>
          <Link to={href('/courses')} className={button.quiet}>
            Browse courses
          </Link>
        </div>
      </div>
    </>
  );
}
