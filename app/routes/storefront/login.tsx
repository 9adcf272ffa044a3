import { href, Link } from 'react-router';
import type { SharedPage } from '#app/http/shared-page.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/login';

export const handle: SharedPage = { shared: { parameters: [] } };

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Login',
    'Player accounts are not open yet. What you sent us is found by its reference; here is how.',
    noPage,
  );

/** Where Login leads until there are accounts: the truth, and the ways on. */
export default function Login() {
  return (
    <>
      <PageHead
        title="Player accounts are not open yet"
        lead="There is nothing to log in to today, and nothing you need an account for."
      />
      <div className="page py-12 lg:py-16">
        <div className="prose">
          <p>
            Browsing, asking and enrolling all work without one. When you send a form or enrol you get a reference such
            as BB-7KQ2MX; quote it when you write or telephone, and we have it in front of us. An enrolment also has a
            page of its own, under the private link in its confirmation. If you have lost that link,{' '}
            <Link to={href('/enrolments')} reloadDocument>
              have it sent again
            </Link>
            .
          </p>
          <p>Learners who are in a course reach its labs by the link that we e-mailed them.</p>
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
