import {
  Circle,
  ClipPath,
  Defs,
  Document,
  G,
  Page,
  Path,
  RadialGradient,
  Stop,
  StyleSheet,
  Svg,
  Text,
  View,
} from '@react-pdf/renderer';
import type { Day } from '#app/lib/dates.ts';
import { strawArch } from '#app/ui/straw-arch.ts';
import type { Treasure } from '#app/ui/treasure-art.ts';
import { displayFont, textFont } from './brand-fonts.ts';
import { AcademyMark, ink } from './brand-parts.tsx';
import { pdfOf } from './pdf-of.ts';
import { tag } from './structure.ts';
import { breaking, Words } from './words.tsx';

export type CertificateSheetProps = {
  academy: string;
  /** The company that issues it, with its ABN. */
  company: string;
  /** Null where the name is not shown. */
  name: string | null;
  title: string;
  /** Days and hours. */
  held: string;
  met: string;
  instructor: string | null;
  issued: string;
  /** In fours. */
  number: string;
  /** The address at which the number is checked, without a protocol. */
  checkAt: string;
  qr: { size: number; d: string };
  straws: number;
  /** The study time of a straw, after “every”. */
  each: string;
  seed: string;
  treasure: Treasure;
  /** The disclaimer; empty when there is no exam that it could be taken for. */
  notShown: string;
  recognition: string;
  asOf: Day;
  /** A sample without a holder, with SAMPLE printed across it (P19). */
  sample?: true | undefined;
};

/** The certificate on one A4 page, landscape (P65). The same facts give the same bytes. */
export function certificateSheetPdf(props: CertificateSheetProps): Promise<Buffer> {
  // The paths of the drawings have no letters to look for.
  const { qr: _, treasure: __, ...shown } = props;
  return pdfOf(shown, <Sheet {...props} />);
}

const [width, height] = [841.89, 595.28];
/** Points for a pixel of the drawing, which is 1440 wide. */
const scale = width / 1440;
const px = (pixels: number) => pixels * scale;

/** The size of a name in pixels of the drawing, by its letters: it stays between the walls of straw. */
const nameSize = (name: string) => (name.length <= 18 ? 72 : name.length <= 26 ? 52 : name.length <= 34 ? 40 : 34);
const titleSize = (title: string) => (title.length <= 36 ? 36 : 28);

const centred = { position: 'absolute', textAlign: 'center' } as const;
const styles = StyleSheet.create({
  page: { backgroundColor: '#fdfbf5', fontFamily: textFont, color: ink.text },
  drawing: { position: 'absolute', left: 0, top: 0 },
  words: { ...centred, left: px(370), width: px(700), top: px(428) },
  small: { fontSize: px(20), color: ink.mute },
  name: { fontFamily: displayFont, fontWeight: 700, letterSpacing: -1, lineHeight: 1.1, marginTop: px(6) },
  completed: { fontSize: px(20), color: ink.mute, marginTop: px(14) },
  title: { fontFamily: displayFont, fontWeight: 700, lineHeight: 1.15, marginTop: px(4) },
  held: { fontSize: px(20), marginTop: px(12) },
  met: { fontSize: px(20), color: ink.mute, marginTop: px(5) },
  notShown: { fontSize: px(17), marginTop: px(8) },
  left: { position: 'absolute', left: px(330), top: px(778), width: px(340) },
  right: { position: 'absolute', left: px(640), top: px(778), width: px(338), textAlign: 'right' },
  strong: { fontFamily: displayFont, fontWeight: 700, fontSize: px(22), marginBottom: px(6) },
  note: { fontSize: px(16), color: ink.mute, lineHeight: 1.4 },
  issued: { fontSize: px(16), color: ink.mute, marginTop: px(12) },
  mark: {
    position: 'absolute',
    left: 0,
    width,
    top: px(878),
    flexDirection: 'row',
    justifyContent: 'center',
    transform: 'scale(0.62)',
  },
  foot: {
    ...centred,
    left: px(290),
    width: px(860),
    top: px(934),
    fontSize: px(12.5),
    color: ink.mute,
    lineHeight: 1.35,
  },
  sample: {
    ...centred,
    left: px(320),
    width: px(800),
    top: px(480),
    fontFamily: displayFont,
    fontWeight: 700,
    fontSize: px(160),
    color: ink.sky,
    opacity: 0.28,
    transform: 'rotate(-18deg)',
  },
});

function Sheet(props: CertificateSheetProps) {
  const {
    academy,
    company,
    name,
    title,
    held,
    met,
    instructor,
    issued,
    number,
    checkAt,
    each,
    notShown,
    recognition,
    asOf,
    sample,
  } = props;
  return (
    <Document
      title={sample ? `Sample certificate: ${title}` : `Certificate ${number}: ${title}`}
      author={academy}
      language="en-AU"
      creationDate={new Date(`${asOf}T00:00:00Z`)}
    >
      <Page size="A4" orientation="landscape" style={styles.page}>
        <Drawing {...props} />
        <View style={styles.words}>
          <Text style={styles.small}>
            {name === null ? `${academy} certifies that the holder` : `${academy} certifies that`}
          </Text>
          {name !== null && (
            <Text
              style={[styles.name, { fontSize: px(nameSize(name)) }]}
              hyphenationCallback={breaking(px(700), px(nameSize(name)))}
              {...tag('H1')}
            >
              <Words>{name}</Words>
            </Text>
          )}
          <Text style={styles.completed}>completed the course</Text>
          <Text
            style={[styles.title, { fontSize: px(titleSize(title)) }]}
            hyphenationCallback={breaking(px(700), px(titleSize(title)))}
            {...tag(name === null ? 'H1' : 'H2')}
          >
            <Words>{title}</Words>
          </Text>
          <Text style={styles.held}>{held}</Text>
          <Text style={styles.met}>{met}</Text>
          {notShown && <Text style={styles.notShown}>{notShown}</Text>}
        </View>
        <View style={styles.left}>
          {instructor !== null && (
            <>
              <Text style={styles.strong} hyphenationCallback={breaking(px(300), px(22))}>
                <Words>{instructor}</Words>
              </Text>
              <Text style={styles.note}>Instructor</Text>
            </>
          )}
          <Text style={styles.issued}>{issued}</Text>
        </View>
        <View style={styles.right}>
          <Text style={styles.strong}>{number}</Text>
          <Text style={styles.note}>Check it at</Text>
          <Text style={styles.note}>{checkAt}</Text>
        </View>
        <View style={styles.mark}>
          <AcademyMark name={academy} />
        </View>
        <Text style={styles.foot}>
          {company}. The arch has a straw for every {each} of the course. {recognition}
        </Text>
        {sample && <Text style={styles.sample}>SAMPLE</Text>}
      </Page>
    </Document>
  );
}

function Drawing({ straws, seed, treasure, qr }: CertificateSheetProps) {
  return (
    <View style={styles.drawing} {...tag('Artifact')}>
      <Svg viewBox="0 0 1440 1018" width={width} height={height}>
        <Defs>
          <RadialGradient id="glow" cx="0.5" cy="0.5" r="0.5" fx="0.5" fy="0.5">
            <Stop offset="0" stopColor="#4f7bff" stopOpacity={0.26} />
            <Stop offset="1" stopColor="#4f7bff" stopOpacity={0} />
          </RadialGradient>
          <ClipPath id="body">
            <Path d={treasure.body} />
          </ClipPath>
        </Defs>
        <Circle cx={720} cy={318} r={250} fill="url('#glow')" />
        {strawArch(straws, seed).map(({ d, colour, thickness }) => (
          <Path
            key={`${colour} ${thickness}`}
            d={d}
            stroke={colour}
            strokeWidth={thickness}
            strokeOpacity={0.9}
            strokeLinecap="round"
            fill="none"
          />
        ))}
        <G transform="translate(650.4 226.4) scale(2.9)">
          {treasure.shapes.map(({ inside, d, fill, fillOpacity, stroke, strokeWidth }, at) => (
            <G
              // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of a drawing have no other identity
              key={at}
              {...(inside && { clipPath: 'url(#body)' })}
            >
              <Path
                d={d}
                fill={fill ?? 'none'}
                {...(fillOpacity !== undefined && { fillOpacity })}
                {...(stroke !== undefined && { stroke })}
                {...(strokeWidth !== undefined && { strokeWidth })}
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </G>
          ))}
        </G>
        <G transform={`translate(1002 776) scale(${104 / qr.size})`}>
          <Path d={qr.d} fill={ink.text} />
        </G>
      </Svg>
    </View>
  );
}
