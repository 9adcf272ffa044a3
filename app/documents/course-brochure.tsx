import { Document, Image, Link, Page, StyleSheet, Text, View } from '@react-pdf/renderer';
import { renderAsync } from '@resvg/resvg-js';
import type { ReactNode } from 'react';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { displayFont, textFont } from './brand-fonts.ts';
import { AcademyMark, footStyle, ink, side } from './brand-parts.tsx';
import { pdfOf } from './pdf-of.ts';
import { bookmark, headingOf, tag } from './structure.ts';
import { Words } from './words.tsx';

/** The texts of a brochure about a course, ready to print. */
export type BrochureProps = {
  academy: { name: string; address: string; email: string; phone: string };
  title: string;
  category: string;
  description: string;
  /** Name and value, such as `Duration` and `40 hours`. */
  facts: readonly (readonly [name: string, value: string])[];
  overview: string;
  dates: readonly { days: string; detail: string }[];
  objectives: readonly string[];
  curriculum: readonly { module: string; topics: readonly string[] }[];
  instructor: { name: string; about: string; biography: string };
  prerequisites: readonly string[];
  credential: string;
  /** The full address of the course on the site. */
  address: string;
  /** The day on which it was true. */
  asOf: Day;
};

/** The brochure of a course, A4. `art` is its drawing, a whole SVG file, 16 by 9. Returns the bytes of a PDF. */
export async function brochurePdf(props: BrochureProps, art: string): Promise<Buffer> {
  const drawn = await renderAsync(art, { fitTo: { mode: 'width', value: 720 }, font: { loadSystemFonts: false } });
  return pdfOf(props, <Brochure {...props} art={drawn.asPng()} />);
}

const styles = StyleSheet.create({
  page: { fontFamily: textFont, fontSize: 10.5, color: ink.text, paddingTop: 44, paddingBottom: 72 },
  head: {
    backgroundColor: ink.satin,
    marginTop: -44,
    paddingHorizontal: side,
    paddingTop: 34,
    paddingBottom: 30,
    borderBottomWidth: 5,
    borderBottomColor: ink.straw,
    marginBottom: 26,
  },
  top: { flexDirection: 'row', justifyContent: 'space-between', marginTop: 26 },
  words: { width: 300 },
  category: { color: ink.straw, fontWeight: 700, fontSize: 10.5, marginBottom: 8 },
  title: { fontFamily: displayFont, fontWeight: 700, fontSize: 26, lineHeight: 1.08, color: '#ffffff' },
  description: { color: ink.onSatinMute, fontSize: 11, lineHeight: 1.45, marginTop: 12 },
  art: { width: 184, height: 103.5, borderRadius: 8, objectFit: 'cover' },
  facts: { flexDirection: 'row', flexWrap: 'wrap', marginTop: 20 },
  fact: { marginRight: 30, marginTop: 6 },
  factName: { color: ink.onSatinMute, fontSize: 8.5, marginBottom: 3 },
  factValue: { fontFamily: displayFont, fontWeight: 700, fontSize: 13, color: '#ffffff' },
  body: { paddingHorizontal: side, fontSize: 10.5, lineHeight: 1.5 },
  section: { marginBottom: 20 },
  heading: { fontFamily: displayFont, fontWeight: 700, fontSize: 16, lineHeight: 1.2, marginBottom: 8 },
  item: { flexDirection: 'row', marginBottom: 4 },
  bullet: { width: 16, color: ink.blue, fontWeight: 700 },
  itemText: { flex: 1 },
  strong: { fontWeight: 700 },
  mute: { color: ink.mute },
  link: { color: ink.blue, textDecoration: 'none' },
  modules: { flexDirection: 'row', flexWrap: 'wrap', justifyContent: 'space-between' },
  module: {
    width: '48.5%',
    borderWidth: 1,
    borderColor: ink.line,
    borderRadius: 8,
    padding: 11,
    marginBottom: 10,
    fontSize: 9.5,
    lineHeight: 1.35,
  },
  moduleName: { fontFamily: displayFont, fontWeight: 700, fontSize: 11.5, lineHeight: 1.2, marginBottom: 5 },
  enrol: { backgroundColor: ink.paper, borderWidth: 1, borderColor: ink.straw, borderRadius: 8, padding: 16 },
  foot: footStyle,
});

function Brochure({ art, ...course }: BrochureProps & { art: Buffer }) {
  const { academy, instructor } = course;
  return (
    <Document
      title={`${course.title}: ${academy.name}`}
      author={academy.name}
      language="en-AU"
      creationDate={new Date(`${course.asOf}T00:00:00Z`)}
    >
      <Page size="A4" style={styles.page}>
        <View style={styles.foot} fixed {...tag('Artifact')}>
          <Text>
            {academy.name} · {academy.email} · {academy.phone}
          </Text>
          <Text render={({ pageNumber, totalPages }) => `${pageNumber} of ${totalPages}`} />
        </View>
        <View style={styles.head}>
          <AcademyMark name={academy.name} dark />
          <View style={styles.top}>
            <View style={styles.words}>
              <Text style={styles.category}>{course.category}</Text>
              <Text style={styles.title} {...tag('H1')} {...bookmark(course.title)}>
                <Words>{course.title}</Words>
              </Text>
              <Text style={styles.description}>
                <Words>{course.description}</Words>
              </Text>
            </View>
            <Image src={art} style={styles.art} />
          </View>
          <View style={styles.facts} {...tag('Table')}>
            {course.facts.map(([name, value]) => (
              <View key={name} style={styles.fact} {...tag('TR')}>
                <Text style={styles.factName} {...headingOf('Row')}>
                  {name}
                </Text>
                <Text style={styles.factValue} {...tag('TD')}>
                  {value}
                </Text>
              </View>
            ))}
          </View>
        </View>
        <View style={styles.body}>
          <Section title="Overview">
            <Text>
              <Words>{course.overview}</Words>
            </Text>
          </Section>
          {course.dates.length > 0 && (
            <Section title="Dates">
              {course.dates.map(({ days, detail }) => (
                <Text key={days}>
                  <Text style={styles.strong}>{days}</Text>
                  <Text style={styles.mute}> {detail}</Text>
                </Text>
              ))}
            </Section>
          )}
          <Section title="What you will be able to do">
            <List items={course.objectives} />
          </Section>
          <Text style={styles.heading} minPresenceAhead={120} {...tag('H2')} {...bookmark('Curriculum')}>
            Curriculum
          </Text>
          <View style={[styles.modules, styles.section]}>
            {course.curriculum.map(({ module, topics }, at) => (
              <View key={module} style={styles.module} wrap={false}>
                <Text style={styles.moduleName} {...tag('H3')}>
                  {at + 1}. <Words>{module}</Words>
                </Text>
                <List items={topics} />
              </View>
            ))}
          </View>
          <Section title="Instructor" whole>
            <Text style={styles.strong}>
              <Words>{instructor.name}</Words>
            </Text>
            <Text style={styles.mute}>
              <Words>{instructor.about}</Words>
            </Text>
            <Text>
              <Words>{instructor.biography}</Words>
            </Text>
          </Section>
          <Section title="Prerequisites" whole>
            <List items={course.prerequisites} />
          </Section>
          <Section title="Certification" whole>
            <Text>
              <Words>{course.credential}</Words>
            </Text>
          </Section>
          <View style={styles.enrol} wrap={false}>
            <Text style={styles.heading} {...tag('H2')} {...bookmark('How to enrol')}>
              How to enrol
            </Text>
            <Text>See the course page for dates with free seats, today’s price and enrolment:</Text>
            <Text style={styles.strong}>
              <Link src={course.address} style={styles.link}>
                {course.address}
              </Link>
            </Text>
            <Text>
              Questions:{' '}
              <Link src={`mailto:${academy.email}`} style={styles.link}>
                {academy.email}
              </Link>
              , {academy.phone}, or at {academy.address}.
            </Text>
            <Text style={[styles.mute, { marginTop: 6 }]}>
              This brochure was correct on {formatDays(course.asOf, course.asOf)}.
            </Text>
          </View>
        </View>
      </Page>
    </Document>
  );
}

/** `whole` is for short ones: their heading must not stay behind on the page before. */
function Section({ title, whole = false, children }: { title: string; whole?: boolean; children: ReactNode }) {
  return (
    <View style={styles.section} wrap={!whole}>
      <Text style={styles.heading} minPresenceAhead={40} {...tag('H2')} {...bookmark(title)}>
        {title}
      </Text>
      {children}
    </View>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <View {...tag('L')}>
      {items.map((item) => (
        <View key={item} style={styles.item} wrap={false} {...tag('LI')}>
          <Text style={styles.bullet} {...tag('Lbl')}>
            •
          </Text>
          <Text style={styles.itemText} {...tag('LBody')}>
            <Words>{item}</Words>
          </Text>
        </View>
      ))}
    </View>
  );
}
