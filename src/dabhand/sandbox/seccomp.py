"""The system calls that no experiment gets, compiled to the kernel's filter format (seccomp(2), BPF).

What the namespaces or Landlock already forbid is forbidden a second time here; what they do not (other processes'
limits, System V memory that outlives its maker, extended attributes, new namespaces) only here.
"""

from __future__ import annotations

import errno
import platform
import struct

from dabhand.errors import SandboxUnavailable

_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _ERRNO, _HAND_OVER = 0x7FFF0000, 0x00050000, 0x7FC00000
_NR, _ARCH, _ARGUMENTS = 0, 4, 16

_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}

_EVERYWHERE = {
    "pidfd_getfd": 438, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "clone3": 435,
    "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447, "fchmodat2": 452, "setxattrat": 463,
    "removexattrat": 466, "file_setattr": 469,
}  # fmt: skip
_X86_64 = _EVERYWHERE | {
    "ioctl": 16, "shmget": 29, "socket": 41, "socketpair": 53, "clone": 56, "semget": 64, "msgget": 68, "chmod": 90,
    "chown": 92, "lchown": 94, "ptrace": 101, "syslog": 103, "utime": 132, "personality": 135, "setpriority": 141,
    "sched_setparam": 142, "sched_setscheduler": 144, "pivot_root": 155, "chroot": 161, "acct": 163, "mount": 165,
    "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "init_module": 175, "delete_module": 176,
    "quotactl": 179, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198,
    "fremovexattr": 199, "sched_setaffinity": 203, "utimes": 235, "mq_open": 240, "kexec_load": 246, "add_key": 248,
    "request_key": 249, "keyctl": 250, "ioprio_set": 251, "fchownat": 260, "futimesat": 261, "fchmodat": 268,
    "unshare": 272, "utimensat": 280, "perf_event_open": 298, "prlimit64": 302, "open_by_handle_at": 304, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "sched_setattr": 314,
    "memfd_create": 319, "kexec_file_load": 320, "bpf": 321, "userfaultfd": 323,
}  # fmt: skip
_GENERIC = _EVERYWHERE | {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "ioctl": 29, "ioprio_set": 30, "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "fchmodat": 53,
    "fchownat": 54, "quotactl": 60, "utimensat": 88, "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104,
    "init_module": 105, "delete_module": 106, "syslog": 116, "ptrace": 117, "sched_setparam": 118,
    "sched_setscheduler": 119, "sched_setaffinity": 122, "setpriority": 140, "reboot": 142, "mq_open": 180,
    "msgget": 186, "semget": 190, "shmget": 194, "socket": 198, "socketpair": 199, "add_key": 217, "request_key": 218,
    "keyctl": 219, "clone": 220, "swapon": 224, "swapoff": 225, "perf_event_open": 241, "prlimit64": 261,
    "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "finit_module": 273, "sched_setattr": 274, "memfd_create": 279, "bpf": 280, "userfaultfd": 282,
    "kexec_file_load": 294,
}  # fmt: skip

_FORBIDDEN = [
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "mount",
    "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns",
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd",
    "io_uring_setup", "io_uring_enter", "io_uring_register", "kexec_load", "kexec_file_load", "init_module",
    "finit_module", "delete_module", "swapon", "swapoff", "reboot", "acct",
    "quotactl", "quotactl_fd", "open_by_handle_at", "shmget", "semget", "msgget",
    "mq_open", "syslog", "ioprio_set",
]  # fmt: skip
_ATTRIBUTES = [
    "setxattr", "lsetxattr", "fsetxattr", "setxattrat",
    "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr",
]  # fmt: skip
_ONLY_ONESELF = {
    "prlimit64": 0, "setpriority": 1, "sched_setaffinity": 0, "sched_setparam": 0, "sched_setscheduler": 0,
    "sched_setattr": 0,
}  # fmt: skip
"""Calls on another process, by the argument that names it; 0 is the caller."""
_HANDED_OVER = ("chmod", "fchmodat", "fchmodat2", "utimensat")
"""Changes of what a path names, which Landlock does not confine: `inside/deputy.py` makes them, inside the scene."""
_OLD_OR_VAIN = ("chown", "lchown", "fchownat", "utime", "utimes", "futimesat")
"""Further such changes, which no program needs: it has no right to give files away, and newer calls for times."""
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_FILE_ATTRIBUTES = (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602)
"""FS_IOC_SETFLAGS and FS_IOC_SETVERSION, with their 32-bit forms, and FS_IOC_FSSETXATTR."""
_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6; a network namespace says nothing about some others, such as AF_VSOCK."""
_IN_MEMORY = ("memfd_create", "memfd_secret")
"""Files that belong to no mount, and so to no limit of one."""


def filter_program(sockets: bool) -> bytes:
    """The filter for everything in the sandbox, on this machine's architecture.

    Args:
        sockets: whether sockets can be made; they lead nowhere when there is a network namespace.

    Raises:
        SandboxUnavailable: this architecture's system call numbers are not known.
    """
    numbers = _numbers()
    return _program([*_plain_rules(numbers, sockets), *_argument_rules(numbers)])


def closing_program() -> bytes:
    """A further filter for the worker and its experiments, once the worker's own files in memory exist."""
    numbers = _numbers()
    return _program([part for name in _IN_MEMORY for part in _if(_EQUAL, numbers[name], errno.ENOSYS)])


def handing_over_program() -> bytes:
    """A further filter, which hands changes of permissions and times by path over to the worker."""
    numbers = _numbers()
    code: list[bytes] = []
    for name in _OLD_OR_VAIN:
        if name in numbers:
            code += _if(_EQUAL, numbers[name], errno.EPERM)
    for name in _HANDED_OVER:
        hand_over = [_instruction(_RETURN, _HAND_OVER)]
        if name == "utimensat":  # without a path it is about an open file
            halves = [_load(_ARGUMENTS + 8), _instruction(_EQUAL, 0, 0, 2), _load(_ARGUMENTS + 12)]
            hand_over = [*halves, _instruction(_EQUAL, 0, 1, 0), *hand_over]
            code += [_instruction(_EQUAL, numbers[name], 0, len(hand_over) + 1), *hand_over, _load(_NR)]
        elif name in numbers:
            code += [_instruction(_EQUAL, numbers[name], 0, 1), *hand_over]
    return _program(code)


def _numbers() -> dict[str, int]:
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise SandboxUnavailable(
            f"There is no system call filter for {machine} processors.",
            "Run dabhand on x86_64, aarch64 or riscv64.",
        )
    return _X86_64 if machine == "x86_64" else _GENERIC


def _program(rules: list[bytes]) -> bytes:
    machine = platform.machine()
    code = [_load(_ARCH), *_unless(_EQUAL, _ARCHITECTURES[machine]), _load(_NR)]
    if machine == "x86_64":  # the x32 calls have numbers of their own
        code += _if(_AT_LEAST, 0x40000000, errno.EPERM)
    return b"".join([*code, *rules, _instruction(_RETURN, _ALLOW)])


def _plain_rules(numbers: dict[str, int], sockets: bool) -> list[bytes]:
    code = _if(_EQUAL, numbers["clone3"], errno.ENOSYS)  # its flags are out of reach; the C library falls back to clone
    for names, error in ((_FORBIDDEN, errno.EPERM), (_ATTRIBUTES, errno.EOPNOTSUPP)):
        for name in names:
            code += _if(_EQUAL, numbers[name], error)
    if not sockets:
        code += _if(_EQUAL, numbers["socket"], errno.EACCES)
    return code


def _argument_rules(numbers: dict[str, int]) -> list[bytes]:
    code: list[bytes] = []
    for name, argument in _ONLY_ONESELF.items():
        code += _if_argument(numbers[name], argument, _unless(_EQUAL, 0))
    code += _if_argument(numbers["clone"], 0, _if(_ANY_BIT, _NEW_NAMESPACES, errno.EPERM))
    for requests, error in ((_TERMINAL_INPUT, errno.EPERM), (_FILE_ATTRIBUTES, errno.EOPNOTSUPP)):
        for request in requests:
            code += _if_argument(numbers["ioctl"], 1, _if(_EQUAL, request, error))
    code += _if_argument(numbers["personality"], 0, _if_not_in((0, 0xFFFFFFFF), errno.EPERM))
    for name in ("socket", "socketpair"):
        code += _if_argument(numbers[name], 0, _if_not_in(_FAMILIES, errno.EAFNOSUPPORT))
    return code


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _if(test: int, value: int, error: int) -> list[bytes]:
    return [_instruction(test, value, 0, 1), _instruction(_RETURN, _ERRNO | error)]


def _unless(test: int, value: int) -> list[bytes]:
    return [_instruction(test, value, 1, 0), _instruction(_RETURN, _ERRNO | errno.EPERM)]


def _if_not_in(values: tuple[int, ...], error: int) -> list[bytes]:
    tests = [_instruction(_EQUAL, value, len(values) - at, 0) for at, value in enumerate(values)]
    return [*tests, _instruction(_RETURN, _ERRNO | error)]


def _if_argument(number: int, argument: int, rule: list[bytes]) -> list[bytes]:
    """Apply `rule` to an argument (its lower half) of one system call, then load the call's number again."""
    body = [_load(_ARGUMENTS + 8 * argument), *rule, _load(_NR)]
    return [_instruction(_EQUAL, number, 0, len(body)), *body]
