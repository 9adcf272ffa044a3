import { Link } from 'react-router';
import { Section } from '#app/ui/staff/page-head.tsx';
import { ActLink } from '#app/ui/staff/typography.tsx';

/** `to` is the page that lists exactly the counted rows; null when there is none. */
type Sum = { text: string; late: boolean; to: string | null; count: string; amount?: string };

type Props = { title: string; beside?: string; end?: { text: string; to: string }; sums: readonly Sum[] };

/** Figures below one another, each a link to what makes it up where a page lists that; red where something is late. */
export function Sums({ title, beside, end, sums }: Props) {
  return (
    <Section
      title={title}
      end={end ? <ActLink to={end.to}>{end.text}</ActLink> : <span className="text-mute">{beside}</span>}
    >
      <table className="w-full">
        <tbody className="[&_tr]:border-b [&_tr]:border-line [&_tr]:last:border-b-0 [&_tr]:hover:bg-hover">
          {sums.map(({ text, late, to, count, amount }) => (
            <tr key={text}>
              <th
                scope="row"
                className={`h-7.5 w-full py-1 text-left font-normal ${late ? 'font-semibold text-fault' : ''}`}
              >
                {text}
              </th>
              <td className="pl-3 text-right text-mute">
                <Figure to={to} late={late && !amount}>
                  {count}
                </Figure>
              </td>
              {amount !== undefined && (
                <td className="pl-3 text-right whitespace-nowrap">
                  <Figure to={to} late={late}>
                    {amount}
                  </Figure>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Figure({ to, late, children }: { to: string | null; late: boolean; children: string }) {
  if (to === null) return children;
  return (
    <Link
      to={to}
      className={`underline decoration-1 underline-offset-3 hover:text-link ${late ? 'font-semibold text-fault' : 'decoration-edge'}`}
    >
      {children}
    </Link>
  );
}
