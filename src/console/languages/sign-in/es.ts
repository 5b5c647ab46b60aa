// Signing in, by whatever way, and what is told when that cannot be, in Spanish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const es: TextsOf<typeof en> = {
  signIn: 'Iniciar sesión',
  asEmail: 'Como {email}',
  usedUp: 'Este enlace ya se ha usado',
  usedUpText:
    'Un enlace sirve para entrar una vez, durante unos días. Pida otro; quien administra este Kassa lo crea con',
  linkWaits: 'Este enlace aún no está aprobado',
  linkWaitsText:
    'Es para alguien que ya puede iniciar sesión, así que otro administrador tiene que aprobarlo en la página Equipo. Ábralo de nuevo después.',
  anotherWay: 'Entrar de otra forma',
  elsewhere: 'Las llaves de acceso funcionan en {link}, no en esta dirección.',
  code: 'Código',
  codeHint: 'Seis cifras de su aplicación de autenticación o un código de recuperación.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  withPassword: 'Entrar con contraseña',
  withCompany: 'Entrar con su empresa',
  withPasskey: 'Entrar con llave de acceso',
  noWay: 'Aún sin acceso, o acceso perdido',
  noWayText: 'Abra el enlace que ha recibido. Quien administra este Kassa crea uno con',
  inTerminal:
    'Abra el enlace «Console» que muestra el terminal en el que se inició Kassa. Si ya se ha usado, inicie Kassa de nuevo o cree otro con',
  byCommand: 'Nadie tiene aún otro acceso que un enlace. Cree uno con',
  notSignedIn: 'Sesión no iniciada',
  tryAgain: 'Reintentar',
  stillYou: '¿Sigue siendo usted?',
  proofNeeded: 'Esta acción exige que haya verificado su identidad en los últimos diez minutos.',
  proofNeededAt:
    'Lo que quiere hacer en la página «{page}» exige que haya verificado su identidad en los últimos diez minutos.',
  doAgain:
    'Aún no se ha hecho nada. Después volverá a esa página: hágalo otra vez y escriba de nuevo lo que había escrito.',
  formIsKept: 'Lo que ha escrito se conserva y se envía en cuanto lo confirme.',
  proved: 'Confirmado',
  onItsWay: 'Se está enviando lo que ha escrito.',
  sendOn: 'Enviar',
  linkLeadsBack: 'Ábralo en este navegador y le llevará de vuelta adonde estaba.',
  usePasskey: 'Usar una llave de acceso',
  useCode: 'Usar este código',
  companyAgain: 'Entrar de nuevo con su empresa',
  proofByLink: 'Entre de nuevo con un enlace, que sirve de verificación. Quien administra este Kassa lo crea con',
  problems: {
    locked:
      'Diez intentos han fallado. No se aceptan contraseñas ni códigos de esta cuenta hasta {time}. Una llave de acceso sigue funcionando, y un administrador puede desbloquear la cuenta.',
    wrong: 'No coincide. Cada código sirve una vez: espere al siguiente.',
    wait: {
      one: 'Demasiados intentos. Vuelva dentro de un minuto, o use una llave de acceso o un enlace.',
      other: 'Demasiados intentos. Vuelva dentro de {count} minutos, o use una llave de acceso o un enlace.',
    },
    busy: 'Mucha gente está entrando. Inténtelo de nuevo en un momento.',
  },
  company: {
    unverified: 'El acceso de su empresa no dio ninguna dirección de correo verificada.',
    stale: 'El acceso de su empresa no preguntó quién es usted. Cierre la sesión allí e inténtelo de nuevo.',
    busy: 'Mucha gente está entrando. Inténtelo de nuevo en un momento.',
    failed:
      'El acceso de su empresa no funcionó. Inténtelo de nuevo; quien administra este Kassa encuentra el motivo en el registro.',
    away: 'No se puede contactar con el acceso de su empresa. Inténtelo de nuevo en un momento.',
    untrusted:
      'La respuesta del acceso de su empresa no está firmada con ninguna de sus claves, por lo que no se aceptó. Inténtelo de nuevo; quien administra este Kassa encuentra el motivo en el registro.',
    keyless:
      'No se pueden obtener las claves del acceso de su empresa, por lo que su respuesta no puede comprobarse. Inténtelo de nuevo en un momento.',
    late: 'Tardó demasiado o empezó en otro navegador. Inténtelo de nuevo.',
    unknown: 'Aquí no se conoce a nadie como {email}. Pida a un administrador que le invite.',
  },
  passkey: {
    wrong: 'Esa llave de acceso no se conoce aquí.',
    notAdded: 'No se añadió: ya existe, tardó demasiado o ya tiene veinte.',
    noSite: 'Las llaves de acceso necesitan una dirección con nombre: una dirección IP no puede tenerlas.',
    failed: 'No funcionó. Inténtelo de nuevo.',
    known: 'Este dispositivo ya tiene una llave de acceso para usted.',
    notUsed: 'No se usó ninguna llave de acceso. Inténtelo de nuevo cuando quiera.',
  },
  secondFactor: {
    title: 'Añadir un segundo factor',
    needed:
      '{merchant} exige un segundo factor. Añada una llave de acceso, o una contraseña con una aplicación de autenticación.',
    nothingElse: 'Hasta entonces, aquí no se abre nada más.',
    hasOne: 'Ya tiene una llave de acceso o una aplicación de autenticación.',
    useIt: 'Usarla',
    byCompany: 'Un enlace solo no es un segundo factor. Inicie sesión con su empresa.',
    first: 'Añada primero un segundo factor.',
  },
  proofFirst: 'Demuestre primero que es usted: la última verificación fue hace más de diez minutos.',
  signInFirst: 'Inicie sesión primero.',
};
