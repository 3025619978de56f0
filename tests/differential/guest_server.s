// The program that QEMU's CPUs run in the differential test: it executes register accesses out of a ring in RAM that the
// test shares with it, and writes down what each of them gave. Position-independent, MMU off, interrupts masked.
//
// Layout of RAM, from 0x4000'0000 (guest_layout.h has the same):
//   +0x20'0000  this program
//   +0x30'0000  u64 commands executed; +0x40: u64 commands there; +0x80: u64 number of CPUs; +0xC0: u64 CPUs that are up
//   +0x40'0000  ring of commands:  u32 cpu, u32 stub, u64 address, u64 value, u64 non-secure
//   +0x50'0000  ring of results:   u64 value, u32 ISR_EL1 before, u32 after, u32 ESR_EL1, u32 ESR_EL3, u32 fiq, u32 -
//
// One command is executed at a time, by the CPU it names; the others yield. Without EL3 everything is EL1. With EL3 a
// CPU waits in Secure EL1 and visits Non-secure EL1 for a Non-secure access, through a monitor in EL3 that turns
// SCR_EL3.NS around. There SCR_EL3.FIQ is 1, as for a firmware that owns Group 0: a FIQ is taken to EL3 whatever
// PSTATE.F says, before the access or after it, and ends the visit.
//
//   x19 own number          x25 1: the access has been executed
//   x20 control block       x26 ISR_EL1 before, x27 after
//   x21 commands            x28 1: a FIQ came before the access, 2: after it
//   x22 results             x29 ESR_EL3 of a trapped access
//   x23 stubs               x16 ESR_EL1 of an access that failed
//   x24 the command

        .equ    ring_mask, 8191
        .equ    cpu_on, 0xc4000003              // PSCI CPU_ON, SMC64/HVC64 (DEN 0022)
        .equ    scr_secure, 0x430               // RW, RES1 bits
        .equ    scr_non_secure, 0x435           // and NS, FIQ

        .arch   armv8-a
        .text
start:
        mrs     x0, currentel
        cmp     x0, #(3 << 2)
        b.ne    in_el1

        adr     x0, el3_vectors
        msr     vbar_el3, x0
        mov     x0, #0xf
        msr     s3_6_c12_c12_5, x0              // ICC_SRE_EL3
        isb
        mov     x0, #scr_non_secure
        msr     scr_el3, x0
        isb
        mov     x0, #7
        msr     s3_0_c12_c12_5, x0              // ICC_SRE_EL1, Non-secure
        mov     x0, #scr_secure
        msr     scr_el3, x0
        isb
        mov     x0, #7
        msr     s3_0_c12_c12_5, x0              // ICC_SRE_EL1, Secure
        mov     x0, #0x3c5                      // EL1h, DAIF
        msr     spsr_el3, x0
        adr     x0, in_el1
        msr     elr_el3, x0
        eret

in_el1:
        msr     daifset, #15
        adr     x0, el1_vectors
        msr     vbar_el1, x0
        mov     x0, #7
        msr     s3_0_c12_c12_5, x0              // ICC_SRE_EL1
        isb
        mrs     x0, mpidr_el1
        and     x19, x0, #0xff
        ubfx    x1, x0, #8, #8
        add     x19, x19, x1, lsl #4            // 16 CPUs a value of Aff1
        movz    x20, #0x4030, lsl #16
        movz    x21, #0x4040, lsl #16
        movz    x22, #0x4050, lsl #16
        adr     x23, stubs
        cbnz    x19, up
        ldr     x15, [x20, #0x88]               // 1: the other CPUs have to be woken
        cbz     x15, up

        mov     x14, #1                         // CPU 0 wakes them
wake:   ldr     x15, [x20, #0x80]
        cmp     x14, x15
        b.hs    up
        movz    x0, #(cpu_on >> 16), lsl #16
        movk    x0, #(cpu_on & 0xffff)
        and     x1, x14, #15
        lsr     x2, x14, #4
        orr     x1, x1, x2, lsl #8
        adr     x2, start
        mov     x3, #0
        hvc     #0
        add     x14, x14, #1
        b       wake

up:     add     x3, x20, #0xc0                  // in turn, so that no atomic is needed with the MMU off
1:      ldar    x4, [x3]
        cmp     x4, x19
        b.eq    2f
        yield
        b       1b
2:      add     x4, x4, #1
        stlr    x4, [x3]

        add     x13, x20, #0x40
next:   ldar    x10, [x20]
        ldar    x11, [x13]
        cmp     x10, x11
        b.eq    idle
        and     x12, x10, #ring_mask
        add     x24, x21, x12, lsl #5
        ldr     w0, [x24]
        cmp     w0, w19
        b.ne    idle
        ldr     w9, [x24, #4]
        add     x9, x23, x9, lsl #4
        ldp     x1, x0, [x24, #8]
        ldr     x2, [x24, #24]
        mov     x25, #0
        mov     x26, #0
        mov     x27, #0
        mov     x28, #0
        mov     x29, #0
        mov     x16, #0
        cbnz    x2, non_secure

        mrs     x26, isr_el1
        blr     x9
        mrs     x27, isr_el1
        b       finish

non_secure:
        smc     #0
        mrs     x26, isr_el1
        blr     x9
executed:
        mov     x25, #1
        mrs     x27, isr_el1
        smc     #0
visited:
finish:
        add     x12, x22, x12, lsl #5
        str     x0, [x12]
        stp     w26, w27, [x12, #8]
        stp     w16, w29, [x12, #16]
        str     w28, [x12, #24]
        add     x10, x10, #1
        stlr    x10, [x20]
        b       next

idle:   yield
        b       next

// An access each, 16 bytes apart: x0 value in or out, x1 address.
        .macro  stub instruction:vararg
        .balign 16
        \instruction
        ret
        .endm
        .macro  icc crn, crm, op2
        stub    mrs x0, s3_0_c\crn\()_c\crm\()_\op2
        stub    msr s3_0_c\crn\()_c\crm\()_\op2, x0
        .endm

        .balign 16
stubs:
        stub    ldrb w0, [x1]
        stub    ldrh w0, [x1]
        stub    ldr w0, [x1]
        stub    ldr x0, [x1]
        stub    strb w0, [x1]
        stub    strh w0, [x1]
        stub    str w0, [x1]
        stub    str x0, [x1]
// In the order of gicsim::IccRegister, one stub for reading and one for writing.
        icc     4, 6, 0                 // ICC_PMR_EL1
        icc     12, 8, 0                // ICC_IAR0_EL1
        icc     12, 8, 1                // ICC_EOIR0_EL1
        icc     12, 8, 2                // ICC_HPPIR0_EL1
        icc     12, 8, 3                // ICC_BPR0_EL1
        icc     12, 8, 4                // ICC_AP0R0_EL1
        icc     12, 8, 5                // ICC_AP0R1_EL1
        icc     12, 8, 6                // ICC_AP0R2_EL1
        icc     12, 8, 7                // ICC_AP0R3_EL1
        icc     12, 9, 0                // ICC_AP1R0_EL1
        icc     12, 9, 1                // ICC_AP1R1_EL1
        icc     12, 9, 2                // ICC_AP1R2_EL1
        icc     12, 9, 3                // ICC_AP1R3_EL1
        icc     12, 11, 1               // ICC_DIR_EL1
        icc     12, 11, 3               // ICC_RPR_EL1
        icc     12, 11, 5               // ICC_SGI1R_EL1
        icc     12, 11, 6               // ICC_ASGI1R_EL1
        icc     12, 11, 7               // ICC_SGI0R_EL1
        icc     12, 12, 0               // ICC_IAR1_EL1
        icc     12, 12, 1               // ICC_EOIR1_EL1
        icc     12, 12, 2               // ICC_HPPIR1_EL1
        icc     12, 12, 3               // ICC_BPR1_EL1
        icc     12, 12, 4               // ICC_CTLR_EL1
        icc     12, 12, 5               // ICC_SRE_EL1
        icc     12, 12, 6               // ICC_IGRPEN0_EL1
        icc     12, 12, 7               // ICC_IGRPEN1_EL1
        .balign 16
stubs_end:

// EL1: an access that failed is skipped, its syndrome kept.
        .balign 2048
el1_vectors:
        .balign 128
        b       .
        .org    el1_vectors + 0x200
        mrs     x16, esr_el1
        mrs     x17, elr_el1
        add     x17, x17, #4
        msr     elr_el1, x17
        eret
        .org    el1_vectors + 0x280
        b       .

// EL3: SMC turns SCR_EL3.NS around; a trapped access is skipped; a FIQ ends the visit to Non-secure EL1.
        .balign 2048
el3_vectors:
        .org    el3_vectors + 0x400
        mrs     x17, esr_el3
        lsr     x18, x17, #26
        cmp     x18, #0x17
        b.eq    turn
        mov     x29, x17
        mrs     x17, elr_el3
        add     x17, x17, #4
        msr     elr_el3, x17
        eret
        .org    el3_vectors + 0x500
        mrs     x17, elr_el3
        adr     x18, executed
        cmp     x17, x18
        b.eq    1f
        adr     x18, stubs_end
        cmp     x17, x18
        b.hs    2f
        sub     x18, x17, x23
        tbnz    x18, #63, 2f
        and     x18, x18, #15                   // in a stub: at its access or behind it
        cbz     x18, 2f
1:      mov     x25, #1
2:      add     x28, x25, #1
        adr     x17, visited
        msr     elr_el3, x17
        mov     x17, #scr_secure
        msr     scr_el3, x17
        isb
        eret
turn:   mrs     x17, scr_el3
        mov     x18, #(scr_secure ^ scr_non_secure)
        eor     x17, x17, x18
        msr     scr_el3, x17
        isb
        eret
