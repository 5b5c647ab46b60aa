// The calling codes of Europe and of the larger countries elsewhere, so that the phone's prefix follows the country.
// Each is written as the country's three letters and its code.

const PAIRS =
  'SWE46 NOR47 DNK45 FIN358 ISL354 DEU49 ALA358 ALB355 AND376 ARM374 AUT43 AZE994 BEL32 BGR359 BIH387 BLR375 CHE41 ' +
  'CYP357 CZE420 ESP34 EST372 FRA33 FRO298 GBR44 GEO995 GGY44 GIB350 GRC30 GRL299 HRV385 HUN36 IMN44 IRL353 ITA39 ' +
  'JEY44 LIE423 LTU370 LUX352 LVA371 MCO377 MDA373 MKD389 MLT356 MNE382 NLD31 POL48 PRT351 ROU40 RUS7 SJM47 SMR378 ' +
  'SRB381 SVK421 SVN386 TUR90 UKR380 VAT39 ' +
  'AFG93 AGO244 ARE971 ARG54 AUS61 BGD880 BHR973 BOL591 BRA55 CAN1 CHL56 CHN86 CIV225 CMR237 COD243 COL57 CRI506 ' +
  'CUB53 DOM1 DZA213 ECU593 EGY20 ETH251 GHA233 GTM502 HKG852 HND504 IDN62 IND91 IRN98 IRQ964 ISR972 JAM1 JOR962 ' +
  'JPN81 KAZ7 KEN254 KGZ996 KHM855 KOR82 KWT965 LBN961 LKA94 MAR212 MDG261 MEX52 MMR95 MOZ258 MYS60 NGA234 NIC505 ' +
  'NPL977 NZL64 OMN968 PAK92 PAN507 PER51 PHL63 PRI1 PRY595 QAT974 SAU966 SDN249 SEN221 SGP65 SLV503 SYR963 THA66 ' +
  'TJK992 TUN216 TWN886 TZA255 UGA256 URY598 USA1 UZB998 VEN58 VNM84 YEM967 ZAF27 ZMB260 ZWE263';

const codes: ReadonlyMap<string, string> = new Map(
  PAIRS.split(' ').map((pair) => [pair.slice(0, 3), `+${pair.slice(3)}`]),
);

/** The code of a country given by its three letters; undefined when it is not in the table. */
export const callingCodeOf = (country: string): string | undefined => codes.get(country);

/** Every code once, the Nordic ones and Germany's first, then as in the table. */
export const callingCodes: readonly string[] = [...new Set(codes.values())];
