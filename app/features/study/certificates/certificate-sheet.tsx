import type { CertificateSheetProps } from '#app/documents/certificate-sheet.tsx';
import { strawArch } from '#app/ui/straw-arch.ts';

/** The sheet of a certificate as a picture; the page beside it says the same in text. */
export function CertificateSheet(props: CertificateSheetProps) {
  const { academy, name, title, held, met, instructor, issued, number, checkAt, straws, seed, treasure, qr } = props;
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <svg
        viewBox="0 0 1440 1018"
        className="block h-auto w-full"
        role="img"
        aria-label={`The certificate as it is printed: ${name ?? 'the holder'}, ${title}`}
      >
        <defs>
          <radialGradient id="certificate-glow">
            <stop offset="0" stopColor="#4f7bff" stopOpacity=".26" />
            <stop offset="1" stopColor="#4f7bff" stopOpacity="0" />
          </radialGradient>
          <clipPath id="certificate-body">
            <path d={treasure.body} />
          </clipPath>
        </defs>
        <path fill="#fdfbf5" d="M0 0h1440v1018H0z" />
        <circle cx="720" cy="318" r="250" fill="url(#certificate-glow)" />
        <g fill="none" strokeLinecap="round" strokeOpacity=".9">
          {strawArch(straws, seed).map(({ d, colour, thickness }) => (
            <path key={`${colour} ${thickness}`} d={d} stroke={colour} strokeWidth={thickness} />
          ))}
        </g>
        <g transform="translate(650.4 226.4) scale(2.9)" strokeLinecap="round" strokeLinejoin="round">
          {treasure.shapes.map(({ inside, fill = 'none', ...shape }, at) => (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of a drawing have no other identity
              key={at}
              {...shape}
              fill={fill}
              clipPath={inside && 'url(#certificate-body)'}
            />
          ))}
        </g>
        <g textAnchor="middle" fill="#171334" className="font-sans">
          <Line
            y={name === null ? 540 : 452}
            mute
          >{`${academy} certifies that${name === null ? ' the holder' : ''}`}</Line>
          {name !== null && (
            <text x="720" y="534" fontSize={nameSize(name)} className="font-display font-bold">
              {name}
            </text>
          )}
          <Line y={588} mute>
            completed the course
          </Line>
          <text x="720" y="636" fontSize={title.length <= 36 ? 36 : 28} className="font-display font-bold">
            {title}
          </text>
          <Line y={676}>{held}</Line>
          <Line y={704} mute>
            {met}
          </Line>
        </g>
        <g fill="#171334" fontSize="16" className="font-sans">
          <text x="330" y="800" fontSize="22" className="font-display font-bold">
            {instructor}
          </text>
          <text x="330" y="826" fill="#5a5675">
            {instructor && 'Instructor'}
          </text>
          <text x="330" y="860" fill="#5a5675">
            {issued}
          </text>
          <g textAnchor="end">
            <text x="978" y="800" fontSize="22" className="font-display font-bold">
              {number}
            </text>
            <text x="978" y="826" fill="#5a5675">
              Check it at
            </text>
            <text x="978" y="848" fill="#5a5675">
              {checkAt}
            </text>
          </g>
        </g>
        <path d={qr.d} fill="#171334" transform={`translate(1002 776) scale(${104 / qr.size})`} />
        <text x="720" y="925" textAnchor="middle" fontSize="22" fill="#171334" className="font-display font-bold">
          {academy}
        </text>
      </svg>
    </div>
  );
}

/** Stays between the walls of straw, however long the name is. */
const nameSize = (name: string) =>
  name.length <= 18 ? 72 : name.length <= 26 ? 52 : Math.max(18, Math.floor(1250 / name.length));

function Line({ y, mute = false, children }: { y: number; mute?: boolean; children: string }) {
  return (
    <text x="720" y={y} fontSize="20" fill={mute ? '#5a5675' : '#171334'}>
      {children}
    </text>
  );
}

/** A certificate that is no longer valid has an empty place for its treasure. */
export function TreasureHollow({ paths }: { paths: readonly string[] }) {
  return (
    <div className="grid aspect-[1440/1018] place-items-center rounded-card bg-line/40">
      <svg viewBox="-2 -2 52 52" className="w-1/4 text-link" aria-hidden="true">
        {paths.map((d) => (
          <path
            key={d}
            d={d}
            fill="currentColor"
            fillOpacity=".07"
            stroke="currentColor"
            strokeOpacity=".5"
            strokeWidth="1.4"
            strokeDasharray="2.4 2.8"
          />
        ))}
      </svg>
    </div>
  );
}
