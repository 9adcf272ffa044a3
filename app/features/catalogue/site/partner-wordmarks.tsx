/** Partners without hidden ones (P106). */
export const shownPartners = <Partner extends { hidden?: boolean | undefined }>(partners: readonly Partner[]) =>
  partners.filter(({ hidden }) => !hidden);

/** The type styles of app.css, in turn; none copies the logo of a partner. */
const looks = [
  'wordmark-spaced',
  'wordmark-plain',
  'wordmark-heavy',
  'wordmark-boxed',
  'wordmark-light',
  'wordmark-overlined',
  'wordmark-slanted',
  'wordmark-ruled',
] as const;

/** The classes for the name of a partner by its position in the content, from 0. */
export function wordmark(at: number): string {
  return `wordmark ${looks[at % looks.length]}`;
}

/** Names of partners, quiet, each in another look, in the order of the content. */
export function PartnerWordmarks({ names }: { names: string[] }) {
  return (
    <ul className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 sm:mt-6 sm:gap-x-10 xl:justify-between">
      {names.map((name, at) => (
        <li key={name} className={wordmark(at)}>
          {name}
        </li>
      ))}
    </ul>
  );
}
