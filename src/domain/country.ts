// The countries of ISO 3166, each written as its two letters followed by its three: requests may bring either form,
// answers and rows always hold the three letters.

const PAIRS = `
  AFAFG AXALA ALALB DZDZA ASASM ADAND AOAGO AIAIA AQATA AGATG ARARG AMARM AWABW AUAUS ATAUT AZAZE BSBHS BHBHR BDBGD
  BBBRB BYBLR BEBEL BZBLZ BJBEN BMBMU BTBTN BOBOL BQBES BABIH BWBWA BVBVT BRBRA IOIOT BNBRN BGBGR BFBFA BIBDI CVCPV
  KHKHM CMCMR CACAN KYCYM CFCAF TDTCD CLCHL CNCHN CXCXR CCCCK COCOL KMCOM CGCOG CDCOD CKCOK CRCRI CICIV HRHRV CUCUB
  CWCUW CYCYP CZCZE DKDNK DJDJI DMDMA DODOM ECECU EGEGY SVSLV GQGNQ ERERI EEEST SZSWZ ETETH FKFLK FOFRO FJFJI FIFIN
  FRFRA GFGUF PFPYF TFATF GAGAB GMGMB GEGEO DEDEU GHGHA GIGIB GRGRC GLGRL GDGRD GPGLP GUGUM GTGTM GGGGY GNGIN GWGNB
  GYGUY HTHTI HMHMD VAVAT HNHND HKHKG HUHUN ISISL ININD IDIDN IRIRN IQIRQ IEIRL IMIMN ILISR ITITA JMJAM JPJPN JEJEY
  JOJOR KZKAZ KEKEN KIKIR KPPRK KRKOR KWKWT KGKGZ LALAO LVLVA LBLBN LSLSO LRLBR LYLBY LILIE LTLTU LULUX MOMAC MGMDG
  MWMWI MYMYS MVMDV MLMLI MTMLT MHMHL MQMTQ MRMRT MUMUS YTMYT MXMEX FMFSM MDMDA MCMCO MNMNG MEMNE MSMSR MAMAR MZMOZ
  MMMMR NANAM NRNRU NPNPL NLNLD NCNCL NZNZL NINIC NENER NGNGA NUNIU NFNFK MKMKD MPMNP NONOR OMOMN PKPAK PWPLW PSPSE
  PAPAN PGPNG PYPRY PEPER PHPHL PNPCN PLPOL PTPRT PRPRI QAQAT REREU ROROU RURUS RWRWA BLBLM SHSHN KNKNA LCLCA MFMAF
  PMSPM VCVCT WSWSM SMSMR STSTP SASAU SNSEN RSSRB SCSYC SLSLE SGSGP SXSXM SKSVK SISVN SBSLB SOSOM ZAZAF GSSGS SSSSD
  ESESP LKLKA SDSDN SRSUR SJSJM SESWE CHCHE SYSYR TWTWN TJTJK TZTZA THTHA TLTLS TGTGO TKTKL TOTON TTTTO TNTUN TRTUR
  TMTKM TCTCA TVTUV UGUGA UAUKR AEARE GBGBR USUSA UMUMI UYURY UZUZB VUVUT VEVEN VNVNM VGVGB VIVIR WFWLF EHESH YEYEM
  ZMZMB ZWZWE`;

const pairs = PAIRS.trim().split(/\s+/);

const threeLetters: ReadonlyMap<string, string> = new Map(
  pairs.flatMap((pair) => [
    [pair.slice(0, 2), pair.slice(2)],
    [pair.slice(2), pair.slice(2)],
  ]),
);

const shortened: ReadonlyMap<string, string> = new Map(pairs.map((pair) => [pair.slice(2), pair.slice(0, 2)]));

/** All of them, by their three letters. */
export const countries: readonly string[] = [...shortened.keys()];

/** The three letters of a country given by two or three, in any case; undefined when there is none. */
export function readCountry(text: string): string | undefined {
  // Some letters beyond ASCII become ASCII ones in upper case.
  return /^[a-z]{2,3}$/i.test(text) ? threeLetters.get(text.toUpperCase()) : undefined;
}

/** The two letters of a country given by its three; undefined when there is none. */
export const twoLetters = (alpha3: string): string | undefined => shortened.get(alpha3);
